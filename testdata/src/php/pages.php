<?php
// include, require, include_once, a file that is included from several places, a missing one, eval.
include __DIR__ . '/inc/header.php';
include __DIR__ . '/inc/header.php';
require __DIR__ . '/inc/lib.php';
require_once __DIR__ . '/inc/lib.php';
include_once __DIR__ . '/inc/nested.php';
for ($i = 0; $i < 3; $i++)
    $settings = include __DIR__ . '/inc/settings.php';
function load($file) { return include $file; }
echo greeting($settings['name']), load(__DIR__ . '/inc/settings.php')['count'], "\n";
@include __DIR__ . '/inc/missing.php';
eval('function made($x) { return greeting($x); } echo made("eval");');
