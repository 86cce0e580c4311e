<?php
// Proxies that call proxies, that are entered again while they run, that make no call at all.
namespace Shop;

function notify($x) { return str_repeat('x', $x * 40); }
function repeat($n) { $call = 'call_user_func'; return $n ? $call('Shop\repeat', $n - 1) . notify($n) : ''; }
function fail($x) { notify($x); throw new \RuntimeException("fail $x"); }
class Listener { function handle($x) { return notify($x) . notify($x + 1); } }

$call = 'call_user_func';
$callArray = 'call_user_func_array';
$callArray('call_user_func', ['Shop\notify', 9]);
$call('call_user_func_array', 'Shop\notify', [10]);
$call('call_user_func', 'call_user_func', 'Shop\notify', 11);
$call([new Listener, 'handle'], 3);
repeat(5);
try { $callArray('call_user_func', ['Shop\fail', 3]); } catch (\RuntimeException $e) { notify(1); }
try { $call('Shop\nosuch', 1); } catch (\TypeError $e) { notify(2); }
$call('Shop\notify', 12);
