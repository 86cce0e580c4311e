<?php
// A real library: Composer's Semver.
require '/usr/share/php/Composer/Semver/autoload.php';
use Composer\Semver\{Semver, Comparator};
var_dump(Semver::satisfies('1.4.7', '^1.2 || ~2.0.1'), Comparator::greaterThan('2.0.0-beta2', '2.0.0-RC1'));
print_r(Semver::sort(['1.0', '0.9.1', '1.0.0-alpha', 'dev-master']));
