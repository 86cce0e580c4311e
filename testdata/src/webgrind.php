<?php
// WEBGRIND=FOLDER php webgrind.php PROFILE OUTPUT [PROXY...]: has webgrind's own PHP preprocessor write
// OUTPUT. FOLDER is an unpacked release, 0.4 to 1.9.4 (https://github.com/jokkedk/webgrind); the version
// of the output is that release's. Its C++ preprocessor is kept out of it.
class Webgrind_Config
{
    public static $proxyFunctions = [];
    static function getBinaryPreprocessor() { return '/nonexistent'; }
}
Webgrind_Config::$proxyFunctions = array_slice($argv, 3);
$folder = getenv('WEBGRIND');
if (file_exists("$folder/library/Preprocessor.php")) {
    require "$folder/library/Preprocessor.php";
    Webgrind_Preprocessor::parse($argv[1], $argv[2]);
} else {
    require "$folder/lib/CallgrindPreprocessor.php";
    (new CallgrindPreprocessor($argv[1], $argv[2]))->parse();
}
