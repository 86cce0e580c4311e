<?php
// The process kills itself: Xdebug's buffer is cut off, {main} and the summary are missing.
function work($n) { for ($i = 0, $s = 0; $i < $n; $i++) $s += strlen(str_repeat('x', $i % 9)); return $s; }
function outer() { for ($i = 0; $i < 90; $i++) work(3); posix_kill(getmypid(), 9); }
work(5);
outer();
