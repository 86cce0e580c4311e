<?php
// A real library: Seld's JsonLint.
require '/usr/share/php/Seld/JsonLint/autoload.php';
$parser = new Seld\JsonLint\JsonParser;
print_r($parser->parse('{"a": [1, 2.5, "x"], "b": null}'));
echo $parser->lint('{"a": }')->getMessage(), "\n";
