<?php
include __DIR__ . "/header.php";
class Nested { static function show() { include __DIR__ . "/header.php"; } }
Nested::show();
