<?php
// For phpspy: methods, closures called by the library, recursion. Runs for as many seconds as it is told.
namespace Shop;

class Item
{
    function __construct(public int $price) {}
    function value() { return array_sum(array_map(fn($x) => fib($x), range(1, $this->price))); }
    static function compare($a, $b) { return strcmp(md5($a), md5($b)); }
}
function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
function even($n) { return $n == 0 || odd($n - 1); }
function odd($n) { return $n != 0 && even($n - 1); }
function main($seconds)
{
    $start = microtime(true);
    for ($s = 0; microtime(true) - $start < $seconds;) {
        $s += (new Item(16))->value();
        even(2000);
        $words = range(1, 300);
        usort($words, [Item::class, 'compare']);
        preg_replace_callback('/\d/', function ($m) { return str_repeat($m[0], 2); }, str_repeat('a1', 500));
    }
    return $s;
}
main((float)($_SERVER['argv'][1] ?? 1));
