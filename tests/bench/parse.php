<?php
// SPDX-License-Identifier: MIT
// parse.php FOLDER COUNT: parses the first COUNT files of PHP below FOLDER with PHP-Parser, and
// prints them again: a program that is worth profiling.
require 'PhpParser/autoload.php';

$files = [];
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($argv[1])) as $file)
    if ($file->getExtension() === 'php')
        $files[] = $file->getPathname();
sort($files);

$parser = (new PhpParser\ParserFactory)->create(PhpParser\ParserFactory::PREFER_PHP7);
$printer = new PhpParser\PrettyPrinter\Standard;
$bytes = 0;
foreach (array_slice($files, 0, (int)$argv[2]) as $file) {
    try {
        $bytes += strlen($printer->prettyPrintFile($parser->parse(file_get_contents($file))));
    } catch (PhpParser\Error $error) {
        fwrite(STDERR, "$file: {$error->getMessage()}\n");
    }
}
echo "$bytes bytes\n";
