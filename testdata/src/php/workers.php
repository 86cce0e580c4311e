<?php
// Fibers: two in turn, one within another, one that is abandoned.
function task($name, $n) { for ($i = 0; $i < $n; $i++) { step($name, $i); Fiber::suspend($i); } return "$name done"; }
function step($name, $i) { echo str_pad("$name $i", 6), "\n"; }
function schedule(array $fibers)
{
    while ($fibers)
        foreach ($fibers as $name => $fiber) {
            $fiber->isStarted() ? $fiber->resume() : $fiber->start($name, 3);
            if ($fiber->isTerminated()) { echo $fiber->getReturn(), "\n"; unset($fibers[$name]); }
        }
}
schedule(['a' => new Fiber('task'), 'b' => new Fiber('task')]);
function outer() { $f = new Fiber(function () { step('in', 0); Fiber::suspend(1); step('in', 1); }); $f->start(); Fiber::suspend(2); $f->resume(); return 3; }
$outer = new Fiber('outer');
$outer->start();
step('main', 0);
$outer->resume();
echo $outer->getReturn(), "\n";
$abandoned = new Fiber(function () { step('ab', 0); Fiber::suspend(); step('never', 1); });
$abandoned->start();
