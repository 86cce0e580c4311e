<?php
// The page is done at once; the work is done at shutdown, behind {main}.
function writeLog($n)
{
    for ($i = 0; $i < $n; $i++) {
        $line = md5("line $i");
    }
    return $line;
}

function sendPage()
{
    return strlen(str_repeat('page', 1000));
}

register_shutdown_function('writeLog', 40);
sendPage();
