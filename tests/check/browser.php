<?php
// SPDX-License-Identifier: MIT
/*
 * browser.php SERVER_PORT DRIVER_PORT FOLDER PROGRAM: called by browser.sh. Makes profiles with names that
 * are hard to show, opens them in webgrind, and compares what the page's elements hold with the names.
 */
[, $serverPort, $driverPort, $folder, $program] = $argv;
const JOINER = "\u{2060}";
require __DIR__ . '/webdriver.inc';

/* ---- the profiles --------------------------------------------------------------------------- */

/* Would set window.ran. */
$script = '<img src=x onerror=window.ran=1>';
$names = [
    'std::vector<int>::push_back', 'std::vector<float>::push_back', 'std::map<int, std::vector<T> >::at',
    'operator<', 'operator<<', 'operator&&', 'f(int const&, char&&)', 'Foo->bar', '{closure:/a.php:3-5}',
    'a&lt;b', 'a&amp;lt;b', 'a&copy=b', '&#60;', "f$script", '<script>window.ran=1</script>', '</a></td><b>x',
    '<!-- x', 'a "quoted" \'name\'', 'x<1/>y'];
$internal = ['php::strlen', "php::x\" onmouseover=\"window.ran=1\" x=\"", 'php::x->y', "php::$script"];
$src = "$folder/R&D <b>copy</b>";
mkdir($src, 0777, true);
file_put_contents("$src/a&lt;.php", "<?php\necho 'viewed';\n");
$files = ["$src/a&lt;.php", '/tmp/<string>', "/tmp/$script.php", '/tmp/<script>window.ran=1</script>.php'];
$command = "./app $script &lt; a<b>c</b> x: y &copy=1";

$profile = "version: 1\ncreator: xdebug 3.2.0\ncmd: $command\nevents: ms\n\n";
$file_of = [];
foreach ($names as $i => $name) {
    $file_of[$name] = $files[$i % count($files)];
    $profile .= "fl={$file_of[$name]}\nfn=$name\n" . ($i + 1) . " 20\n\n";
}
foreach ($internal as $name)
    $profile .= "fl=php:internal\nfn=$name\n1 20\n\n";
$all = array_merge($names, $internal);
$profile .= "fl=/tmp/a.php\nfn={main}\n1 10\n";
foreach ($all as $i => $name)
    $profile .= "cfl=" . ($file_of[$name] ?? 'php:internal') . "\ncfn=$name\ncalls=1 0 0\n" . ($i + 5) . " 20\n";
$total = 20 * count($all) + 10;
$profile .= "\nsummary: $total\n";
file_put_contents("$folder/odd", $profile);
/* webgrind itself reads the command of a profile for its list, so this one's is harmless. */
file_put_contents("$folder/profiles/cachegrind.out.plain", str_replace($command, './app', $profile));
file_put_contents("$folder/other", "cmd: <b>other</b>\n" . "events: ms\nfn=g\n1 5\nsummary: 5\n");

function convert(string ...$arguments): void
{
    global $program;
    exec(implode(' ', array_map('escapeshellarg', [$program, ...$arguments])), $output, $status);
    if ($status != 0)
        throw new Exception(implode(' ', $arguments) . " fails");
}
/* Preprocessed files may be among the profiles, which have their headings listed. */
convert("$folder/odd", "$folder/profiles/cachegrind.out.odd");
convert('-q', '-o', "$folder/profiles/cachegrind.out.merged", "$folder/odd", "$folder/odd", "$folder/other");
convert('--title', "All <of> it: $script", '-o', "$folder/profiles/cachegrind.out.titled", "$folder/odd");
file_put_contents("$folder/ir", str_replace('events: ms', 'events: Ir', $profile));
convert('-q', '--scale=10', "$folder/ir", "$folder/profiles/cachegrind.out.ir");
$headings = [
    'plain' => './app',
    'odd' => $command,
    'merged' => "3 profiles of $command and <b>other</b>",
    'titled' => "All <of> it: $script",
    'ir' => "$command [costs in Ir, divided by 10]"];

/* ---- profiles that attack ------------------------------------------------------------------- */

/* Each would run a script where markup, or an attribute in any quotes, is not closed to it. */
$attacks = [
    $script, "\">$script", "'>$script", "--></option></select>$script", "</title></h2></a>$script", '<script>window.ran=1</script>',
    'a" autofocus onfocus="window.ran=1" x="', "a' autofocus onfocus='window.ran=1' x='", 'a` autofocus onfocus=`window.ran=1` x=`',
    "a\"\tonmouseover=\v\"window.ran=1\" x", "a\0\" autofocus onfocus=\"window.ran=1\" x=\"", "<\0img src=x onerror=window.ran=1>",
    '&lt;img src=x onerror=window.ran=1>', '&quot; autofocus onfocus=&quot;window.ran=1', 'x<svg/onload=window.ran=1>', 'javascript:window.ran=1',
    'a/><img/src=x/onerror=window.ran=1/>', '<style><img title="</style><img src=x onerror=window.ran=1>">'];
$internals = ['php:internal', "php:internal\0", "php:internal\v", "\0php:internal \0"];

/* Functions of all kinds, and all headers, with these in all of them. */
function attack(array $attacks): string
{
    global $internals;
    $profile = "version: 1\nevents: ms\n";
    $calls = '';
    foreach ($attacks as $i => $attack) {
        foreach (['runs', 'pid', 'part', 'thread', 'totals', 'creator', 'cmd', 'desc', 'event', 'data', "any-$i"] as $key)
            $profile .= "$key: $attack\n";
        $internal = $internals[$i % count($internals)];
        foreach ([[$internal, "php::$attack"], ['/a.php', $attack], ["/srv/$attack", "f$i"], ["/srv/$attack.php", "{closure:/srv/$attack:3-5}"],
                  ["/$attack/b.php", "require_once::/srv/$attack"], [$attack, "A->$attack"]] as [$file, $name]) {
            $profile .= "fl=$file\nfn=$name\n3 10\n\n";
            $calls .= "cfl=$file\ncfn=$name\ncalls=1 0 0\n5 10\n";
        }
    }
    return $profile . "fl=/a.php\nfn={main}\n1 10\n{$calls}summary: 1000 $attacks[0]\nsummary: 1000\n";
}

/* webgrind's own preprocessor, which writes all texts as they are. */
class Webgrind_Config
{
    static $proxyFunctions = [];

    static function getBinaryPreprocessor(): string
    {
        return '';
    }
}
if (!function_exists('ctype_digit')) { /* php -n may lack it */
    function ctype_digit(string $text): bool
    {
        return preg_match('/^\d+$/', $text) === 1;
    }
}
require "$folder/webgrind/library/Preprocessor.php";

/* What webgrind finds for a profile of this name. */
function storage(string $name): string
{
    global $folder;
    file_put_contents("$folder/profiles/cachegrind.out.$name", "cmd: $name\n");
    return "$folder/storage/cachegrind.out.$name.webgrind";
}
file_put_contents("$folder/attack", attack($attacks));
file_put_contents("$folder/invalid", attack(array_map(fn($attack) => "\xe2\x81$attack\xff", $attacks)));
file_put_contents("$folder/harmless", attack(['x']));
error_reporting(E_ALL & ~E_WARNING); /* which it would get many of */
file_put_contents("$folder/without-nul", str_replace("\0", '', attack($attacks))); /* where fscanf() would end */
Webgrind_Preprocessor::parse("$folder/without-nul", storage('control'));
error_reporting(E_ALL);
copy(storage('control'), "$folder/other.webgrind");
convert('-q', "$folder/harmless", storage('harmless'));
convert('-q', "$folder/attack", storage('attack'));
convert('-q', "$folder/invalid", storage('invalid'));
convert('-q', '-o', storage('attack-merged'), "$folder/attack", "$folder/harmless");
convert('-q', "$folder/other.webgrind", storage('attack-other'));
convert('-q', '--format=6', "$folder/attack", "$folder/attack-6");
convert('-q', "$folder/attack-6", storage('attack-6'));

/* ---- what the page shows -------------------------------------------------------------------- */

function show(string $profile, string $unit): void
{
    run('$("#function_table tbody").empty(); $("#costFormat").val(arguments[1]);
         $("#dataFile").val(arguments[0]); update();', $profile, $unit);
    wait_for("the table of $profile",
             fn() => run('return currentDataFile == arguments[0] && $("#function_table > tbody > tr").length > 0;',
                         $profile));
}

/* The functions as rows of name, kind, link, cost. */
function rows(): array
{
    return run('return $("#function_table > tbody > tr").map(function () {
        var cells = $(this).children("td"); return [[cells.eq(1).children("a").text().replace(/^\s+|\s+$/g, ""),
            cells.eq(0).find("img").attr("title"), cells.eq(2).find("a").attr("href"), cells.eq(4).text()]]; }).get();');
}

function check_options(string $when): void
{
    global $headings;
    foreach ($headings as $name => $heading) {
        $text = run('return $("#dataFile option[value=\"" + arguments[0] + "\"]").text();', "cachegrind.out.$name");
        $text = preg_replace('/ \[\d+K?B\]$/', '', str_replace(JOINER, '', $text));
        check("$when, entry of $name", $text, "$heading (cachegrind.out.$name)");
    }
}

function check_profile(string $name): void
{
    global $all, $headings, $file_of, $total;
    show("cachegrind.out.$name", 'msec');
    check("$name: heading", str_replace(JOINER, '', run('return $("#invoke_url").text();')), $headings[$name]);
    check("$name: title", str_replace(JOINER, '', run('return document.title;')), "webgrind of {$headings[$name]}");
    check("$name: elements in the heading", run('return $("#invoke_url").children().length;'), 0);
    if ($name == 'merged')
        return;
    $rows = rows();
    $found = array_column($rows, 0);
    $expected = array_merge($all, ['{main}']);
    sort($found);
    sort($expected);
    check("$name: names in the table", $found, $expected);
    check("$name: elements in names",
          run('return $("#function_table > tbody > tr > td:nth-child(2) > a").children(":not([id^=fold_marker])").length;'), 0);
    if ($name != 'ir') {
        check("$name: the total", run('return $("#runtime_sum").text();'), (string)$total);
        check("$name: costs", array_values(array_unique(array_column($rows, 3))), ['20', '10']);
    }
    foreach ($rows as [$function, , $link]) {
        $file = $file_of[$function] ?? null;
        if ($file === null)
            continue;
        parse_str(parse_url($link, PHP_URL_QUERY), $parameters);
        $is_script = preg_match('/<script|<img/', $file);
        check("$name: link of $function", $is_script ? str_replace(JOINER, '', $parameters['file']) : $parameters['file'],
              $file);
    }
    foreach ($rows as [$function, $kind])
        check("$name: kind of $function", $kind,
              str_contains($function, 'php::') ? 'internal'
              : (str_contains($function, '->') || str_contains($function, '::') ? 'class' : 'procedural'));
}

/* Each row is opened; main calls all, and is called from nowhere. */
function check_calls(string $name): void
{
    global $all;
    $numbers = run('return $("#function_table .callinfo_area").map(function () { return this.id.replace(/\D/g, ""); }).get();');
    foreach ($numbers as $number)
        run('toggleCallInfo(arguments[0]);', $number);
    wait_for("the calls of $name",
             fn() => run('return $(".callinfo_area tbody tr").length;') >= 2 * count($all));
    $calls = 'return $(".callinfo_area table[id^=" + arguments[0] + "] tbody tr").map(function () {
        return $(this).children("td").eq(0).text().replace(/^\s+/, ""); }).get();';
    $found = run($calls, 'sub_calls');
    $expected = [];
    foreach ($all as $i => $function)
        $expected[] = "$function @ " . ($i + 5);
    sort($found);
    sort($expected);
    check("$name: sub calls", $found, $expected);
    $found = run($calls, 'called_from');
    $expected = [];
    foreach ($all as $i => $function)
        $expected[] = "{main} @ " . ($i + 5);
    sort($found);
    sort($expected);
    check("$name: callers", $found, $expected);
}

function check_filter(string $name): void
{
    global $all;
    foreach ($all as $function) {
        $found = run('$("#callfilter").val(arguments[0]).trigger("keyup");
            return $("#function_table > tbody > tr").filter(function () { return $(this).css("display") != "none"; })
                .map(function () { return $(this).find("td:eq(1) a").first().text().replace(/^\s+|\s+$/g, ""); }).get();',
            preg_replace('/[.*+?^${}()|[\]\\\\\/]/', '\\\\$0', $function));
        $expected = array_values(array_filter($all, fn($other) => stripos($other, $function) !== false));
        sort($found);
        sort($expected);
        check("$name: filtered by $function", $found, $expected);
    }
    run('$("#callfilter").val("").trigger("keyup");');
}

function check_nothing_ran(string $where): void
{
    usleep(200000);
    check("$where: a script ran", run('return window.ran === undefined;'), true);
}

/* The kinds of elements and attributes in the page: those that the page makes, and no others. */
function markup(): array
{
    return run('var found = {}; document.querySelectorAll("#trace_view *").forEach(function (e) {
        found["<" + e.localName + ">"] = 1;
        e.getAttributeNames().forEach(function (name) { found[e.localName + " " + name] = 1; }); });
        return Object.keys(found).sort();');
}

function show_all(string $name): void
{
    global $page;
    open($page);
    show("cachegrind.out.$name", 'percent');
    foreach (run('return $("#function_table .callinfo_area").map(function () { return this.id.replace(/\D/g, ""); }).get();') as $number)
        run('toggleCallInfo(arguments[0]);', $number);
    usleep(700000);
}

function check_attack(string $name, array $markup): void
{
    global $page;
    show_all($name);
    check_nothing_ran($name);
    check("$name: markup that is not webgrind's", array_values(array_diff(markup(), $markup)), []);
    check("$name: runs", preg_match('/^\d+$/', run('return $("#runs").text();')), 1);
    $links = run('return $("#trace_view a").map(function () { return this.getAttribute("href") || ""; }).get();');
    foreach (array_unique($links) as $link)
        check("$name: link $link", preg_match('~^(javascript:(toggle|open)CallInfo\(\d+\)|http://php\.net/.*|' .
                                              'index\.php\?op=fileviewer&file=[-\w.%+]*#line-?\d+|)$~s', $link), 1);
    foreach ($name == 'attack' ? array_unique(preg_grep('/fileviewer/', $links)) : [] as $link) {
        open($page . $link);
        check_nothing_ran("$name: the file viewer at $link");
    }
}

/* ---- run ------------------------------------------------------------------------------------ */

try {
    wait_for('the server', fn() => @fsockopen('127.0.0.1', (int)$serverPort));
    start($folder);
    $page = "http://127.0.0.1:$serverPort/";
    open($page);
    check_nothing_ran('the list of files');
    check_options('as served');
    run('reloadFilelist();');
    usleep(500000);
    check_options('loaded again');
    foreach (array_keys($headings) as $name) {
        check_profile($name);
        if ($name == 'plain' || $name == 'odd') {
            check_filter($name);
            check_calls($name);
        }
        check_nothing_ran($name);
    }
    show('cachegrind.out.plain', 'msec');
    foreach (array_column(rows(), 2) as $link)
        if (str_contains($link, 'fileviewer'))
            $links[] = $link;
    foreach (array_unique($links) as $link) {
        open("http://127.0.0.1:$serverPort/$link");
        check_nothing_ran("the file viewer at $link");
        if (str_contains($link, 'R%26D'))
            check('the file viewer shows the file', str_contains(run('return document.body.textContent;'), 'viewed'), true);
    }
    show_all('harmless');
    $markup = markup();
    foreach (['attack', 'attack-merged', 'attack-other', 'attack-6'] as $name)
        check_attack($name, $markup);
    /* webgrind's JSON is UTF-8, or nothing at all. */
    open($page);
    run('update("cachegrind.out.invalid");');
    check_nothing_ran('invalid');
    show_all('control');
    check('without cg2wg, a script runs', run('return window.ran;'), 1);
    if (getenv('PICTURE')) {
        copy(getenv('PROFILE'), "$folder/profiles/cachegrind.out." . basename(getenv('PROFILE')));
        open($page);
        show('cachegrind.out.' . basename(getenv('PROFILE')), 'percent');
        run('$("#dataFile").css("width", "320px"); $("#footer").hide(); toggleCallInfo($("#function_table .callinfo_area")[1].id.replace(/\D/g, ""));');
        usleep(700000);
        run('window.scrollTo(0, 0);');
        file_put_contents(getenv('PICTURE'), screenshot());
    }
} catch (Exception $e) {
    failed($e->getMessage());
}
finish();
