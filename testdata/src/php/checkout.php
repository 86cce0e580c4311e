<?php
// Exceptions through several frames, finally, error, exception and shutdown handlers; ends uncaught.
class PaymentException extends Exception { function __construct($m) { parent::__construct(strtoupper($m)); } }
function pay($n) { if ($n == 0) throw new PaymentException('no money'); return pay($n - 1) + fee(); }
function fee() { return 1; }
function checkout($n) { try { return pay($n); } catch (PaymentException $e) { fee(); return $e->getMessage(); } finally { fee(); } }
set_error_handler(function ($number, $message) { fee(); return true; });
for ($i = 0; $i < 3; $i++)
    checkout($i * 3);
$x = $undefined;
try { intdiv(1, 0); } catch (DivisionByZeroError $e) { echo get_class($e), "\n"; }
set_exception_handler(function ($e) { fee(); echo 'uncaught: ', $e->getMessage(), "\n"; });
register_shutdown_function(function () { fee(); echo "shutdown\n"; });
pay(2);
