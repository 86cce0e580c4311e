<?php
// What takes the time is not what takes the memory.
function readCatalog()
{
    return str_repeat('item;', 200000);
}

function splitCatalog($text)
{
    return explode(';', $text);
}

function sumUp($n)
{
    $sum = 0;
    for ($i = 0; $i < $n; $i++) {
        $sum += $i % 7;
    }
    return $sum;
}

function thumbnail()
{
    $picture = str_repeat('x', 3000000);
    return strlen($picture);
}

$items = splitCatalog(readCatalog());
echo count($items), ' ', sumUp(300000), ' ', thumbnail(), "\n";
