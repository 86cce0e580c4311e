<?php
// Generators: yield, send, yield from, throw into one, one that is never finished.
function rows($n) { for ($i = 0; $i < $n; $i++) { $got = yield $i => parse($i); if ($got) echo "got $got\n"; } return 'done'; }
function parse($i) { return $i * $i; }
function all() { $end = yield from rows(3); yield strlen($end); yield from [7, 8]; }
function filter($rows, $accept) { foreach ($rows as $row) if ($accept($row)) yield $row; }
foreach (filter(all(), function ($x) { return $x % 2 == 0; }) as $row)
    echo $row, ' ';
$rows = rows(10);
$rows->current();
$rows->send('hi');
$rows->next();
try { $rows->throw(new Exception('into the generator')); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
function tree($depth) { if ($depth) { yield from tree($depth - 1); yield $depth; yield from tree($depth - 1); } }
echo implode(',', iterator_to_array(tree(3), false)), "\n";
$unused = rows(5);
$unused->current();
unset($unused);
