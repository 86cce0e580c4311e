<?php
// For PHP 5.2 and later: includes. Memory goes up and down.
include dirname(__FILE__) . '/inc/header.php';
require dirname(__FILE__) . '/inc/old.php';
include_once dirname(__FILE__) . '/inc/old2.php';
include_once dirname(__FILE__) . '/inc/old2.php';
function loader($n) { return include dirname(__FILE__) . '/inc/old3.php'; }
loader(1);
loader(2);
function grow() { return range(1, 3000); }
function drop(&$a) { $a = null; }
$big = grow();
drop($big);
from_old(4);
