<?php
function greeting($name) { return text("hello %s\n", $name); }
function text($format, $name) { return vsprintf($format, [$name]); }
