<?php
// Recursion, two and three functions that call each other, recursive methods, calls on several lines.
function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
function isEven($n) { return $n == 0 || isOdd($n - 1); }
function isOdd($n) { return $n != 0 && isEven($n - 1); }
function category($n) { return $n ? shelf($n - 1) : 0; }
function shelf($n) { return $n ? box($n - 1) + box(0) : 1; }
function box($n) { return $n ? category($n - 1) : 2; }

class Node
{
    public $children = [];
    static function grow($depth)
    {
        $node = new self;
        for ($i = 0; $i < $depth; $i++)
            $node->children[] = self::grow($depth - 1 - $i);
        return $node;
    }
    function depth()
    {
        $depth = 0;
        foreach ($this->children as $child)
            $depth = max($depth, $child->depth());
        return $depth + 1;
    }
}

echo fib(9), ' ', var_export(isEven(11), true), ' ', category(20), ' ',
    Node::grow(5)->depth(), ' ',
    fib(
        fib(4)
    ), "\n";
