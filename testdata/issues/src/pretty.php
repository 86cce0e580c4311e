<?php
// PHP-Parser's pretty printer at work: the printer calls itself for every expression in another one.
use PhpParser\Node;
use PhpParser\Node\Expr;
use PhpParser\Node\Stmt;

require '/usr/share/php/PhpParser/autoload.php';

function expression(int $depth): Expr
{
    if ($depth === 0) {
        return new Expr\Variable('price');
    }
    $inner = expression($depth - 1);
    return $depth % 2 === 0
        ? new Expr\BinaryOp\Plus($inner, new Expr\Variable("part$depth"))
        : new Expr\UnaryMinus($inner);
}

function statement(int $depth): Stmt
{
    return $depth === 0
        ? new Stmt\Return_(expression(12))
        : new Stmt\If_(new Expr\Variable("isOpen$depth"), ['stmts' => [statement($depth - 1)]]);
}

$statements = [statement(5)];
$printer = new PhpParser\PrettyPrinter\Standard;
for ($i = 0; $i < 3; $i++) {
    echo $printer->prettyPrint($statements), "\n";
}
