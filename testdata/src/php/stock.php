<?php
// For PHP 5.2 and later: isEven is also a function of cart.php; it is the first of this file to return.
function isEven($n) { return $n % 2 == 0; }
function pallet($n) { return isEven($n) ? $n / 2 : $n; }
isEven(3);
pallet(4);
pallet(5);
