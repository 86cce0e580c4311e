<?php
// For PHP 5.2 and later: recursion, methods, magic, call_user_func, callbacks, eval.
function factorial($n) { return $n <= 1 ? 1 : $n * factorial($n - 1); }
function isEven($n) { if ($n == 0) { return true; } return isOdd($n - 1); }
function isOdd($n) { if ($n == 0) { return false; } return isEven($n - 1); }
function line($a, $b = 0) { return strlen(str_repeat('x', $a + $b)); }
class Cart
{
    public $count;
    function __construct($count) { $this->count = $count; }
    function total() { return self::sum($this->count); }
    static function sum($x) { return line($x, 1); }
    function __call($name, $arguments) { return count($arguments); }
    function __toString() { return (string) $this->count; }
    function __destruct() { line(1); }
}
class BigCart extends Cart
{
    function total() { return parent::total() + 1; }
    static function make($count) { return new BigCart($count); }
}
factorial(4);
factorial(2);
isEven(5);
call_user_func('line', 3);
call_user_func_array('line', array(3, 4));
call_user_func(array('Cart', 'sum'), 5);
$cart = BigCart::make(7);
call_user_func(array($cart, 'total'));
call_user_func_array(array($cart, 'total'), array());
$cart->total();
$cart->magic(1, 2);
$text = "$cart";
for ($i = 0; $i < 5; $i++) { line($i); }
array_map('line', array(1, 2, 3));
eval('function made($x) { return line($x); } made(2); line(9);');
$cart = null;
