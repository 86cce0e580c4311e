<?php
// For PHP 5.2 and later: no record calls the same function twice, none calls itself.
function tax($x) { return $x * 19 / 100; }
function net($x) { return $x + tax($x); }
function gross($x) { return net($x); }
function down($n) { return $n ? further($n - 1) : tax(1); }
function further($n) { return down($n); }
class Bill
{
    function lines() { return gross(10); }
    static function open() { return new Bill; }
    function close() { return $this->lines() + down(6); }
}
$bill = Bill::open();
$bill->close();
net(5);
call_user_func('tax', 3);
