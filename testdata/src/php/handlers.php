<?php
// For PHP 5.3 and later: namespaces, closures, __invoke, a recursive closure.
namespace Shop\Util;
function helper($x) { return $x * 2; }
class Service
{
    function run() { $f = function ($x) { return helper($x); }; return array_map($f, array(1, 2)); }
    static function all() { return array_map(function ($y) { return -$y; }, array(1)); }
    function __invoke($z) { return helper($z); }
}
$double = function ($x) { return helper($x); };
$compose = function ($f, $g) { return function ($x) use ($f, $g) { return $f($g($x)); }; };
$both = $compose($double, $double);
$both(3);
$both(4);
$a = array(3, 1, 2);
usort($a, function ($p, $q) { return $p - $q; });
$service = new Service;
$service->run();
Service::all();
$service(5);
call_user_func($service, 6);
call_user_func('Shop\Util\helper', 7);
$fib = function ($n) use (&$fib) { return $n < 2 ? $n : $fib($n - 1) + $fib($n - 2); };
$fib(3);
