<?php
// Small calls; the clock makes a jump in one of them (see clock.c).
function inStock($item)
{
    return function_exists($item) ? 1 : 0;
}

function countStock($n)
{
    $found = 0;
    for ($i = 0; $i < $n; $i++) {
        $found += inStock("item$i");
    }
    return $found;
}

countStock(8);
