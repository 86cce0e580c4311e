<?php
// For PHP 5.2 and later: exceptions, through an internal function too.
function level3($t) { if ($t) { throw new RuntimeException('x'); } return 1; }
function level2($t) { return level3($t) + 1; }
function level1($t) { try { return level2($t); } catch (RuntimeException $e) { return handle($e); } }
function handle($e) { return strlen($e->getMessage()); }
function throughInternal() { return array_map('thrower', array(1, 2)); }
function thrower($x) { throw new LogicException('in a callback'); }
level1(false);
level1(true);
try { throughInternal(); } catch (Exception $e) { handle($e); }
try { level2(true); } catch (Exception $e) { handle($e); }
level1(false);
