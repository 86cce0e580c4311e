<?php
// A page whose process is killed while it works.
function line($n)
{
    return sprintf('%05d', $n);
}

function page($number)
{
    $text = '';
    for ($i = 0; $i < 20; $i++) {
        $text .= line($i);
    }
    return $text;
}

for ($i = 0; $i < 6; $i++) {
    page($i);
}
posix_kill(posix_getpid(), 9);
