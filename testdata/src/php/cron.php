<?php
// exit() below several frames, one of them an internal function; destructors, a shutdown function.
class Job
{
    public $name;
    function __construct($name) { $this->name = $name; }
    function __destruct() { work(2); echo "end of {$this->name}\n"; }
}
function work($n) { for ($i = 0, $s = 0; $i < $n * 50; $i++) $s += $i; return $s; }
function run() { $job = new Job('local'); work(1); each_one(); work(1); }
function each_one() { array_map('one', [1, 2, 3]); }
function one($x) { work($x); if ($x == 2) leave(); }
function leave() { register_shutdown_function('bye'); exit("leaving\n"); }
function bye() { work(1); echo "bye\n"; }
$global = new Job('global');
ob_start(function ($s) { return strtoupper($s); });
run();
