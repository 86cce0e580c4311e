<?php
// Every call of call_user_func and call_user_func_array makes exactly one call, and none nest.
namespace Shop;

function notify($x) { return $x * 2; }
function notifyAll($x) { return notify($x) + notify($x + 1); }
class Listener
{
    function handle($x) { return notifyAll($x); }
    static function log($x) { return notify($x); }
}
function fire($f, ...$arguments) { return \call_user_func($f, ...$arguments); }
function fireArray($f, $arguments) { $name = 'call_user_func_array'; return $name($f, $arguments); }

$listener = new Listener;
for ($i = 0; $i < 5; $i++) {
    fire('Shop\notify', $i);
    fire([$listener, 'handle'], $i);
    fire('Shop\Listener::log', $i);
    fireArray('Shop\notifyAll', [$i]);
}
fireArray([$listener, 'handle'], [1]);
$name = 'call_user_func';
$name('Shop\notifyAll', 2);
