<?php
// Closures, arrow functions, callbacks of internal functions, a heap with a user's comparison.
namespace Shop;

class Item
{
    public function __construct(public int $price, public string $name) {}
    public static function compare(Item $a, Item $b): int { return self::key($a) <=> self::key($b); }
    public static function key(Item $item): int { return $item->price; }
}

$items = [];
mt_srand(7);
for ($i = 0; $i < 12; $i++)
    $items[] = new Item(mt_rand(0, 99), chr(97 + $i));

usort($items, [Item::class, 'compare']);
uasort($items, fn($a, $b) => strcmp($a->name, $b->name));
$names = array_map(fn(Item $item) => strtoupper($item->name), $items);
$dear = array_filter($items, function ($item) { return Item::key($item) > 50; });
$sum = array_reduce($dear, fn($total, $item) => $total + $item->price, 0);
array_walk($names, function (&$name, $key) { $name = "$key$name"; });

$discount = fn($percent) => fn($price) => $price * (100 - $percent) / 100;
$twice = function (callable $f) { return function ($price) use ($f) { return $f($f($price)); }; };
echo implode($names), ' ', $twice($discount(10))($sum), "\n";

$queue = new class extends \SplMinHeap {
    protected function compare($a, $b): int { return Item::compare($b, $a); }
};
foreach ($items as $item)
    $queue->insert($item);
while (!$queue->isEmpty())
    $queue->extract();
echo preg_replace_callback('/\d+/', fn($m) => sprintf('<%03d>', $m[0]), 'a1b22c333'), "\n";
