<?php
// Three functions that call each other in a ring: order -> line -> bundle -> order.
function orderPrice(int $depth): int
{
    $sum = 0;
    for ($i = 0; $i < 2; $i++) {
        $sum += linePrice($depth);
    }
    return $sum;
}

function linePrice(int $depth): int
{
    return $depth === 0 ? 100 : bundlePrice($depth);
}

function bundlePrice(int $depth): int
{
    return intdiv(orderPrice($depth - 1) * 9, 10);
}

echo orderPrice(4), "\n";
