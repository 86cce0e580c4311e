<?php
// Calls of one function along several paths, also from a function of PHP and from itself.
namespace Shop;

class Desk
{
    public function price(int $work): int
    {
        for ($i = 0, $sum = 0; $i < $work; $i++)
            $sum += $i % 7;
        return $this->tax($sum, $work);
    }

    public function tax(int $sum, int $work): int
    {
        return $work > 9000 ? $this->price($work - 3000) : $sum;
    }

    public function order(int $count): void
    {
        for ($i = 1; $i <= $count; $i++)
            $this->price(900 * $i);
    }
}

$desk = new Desk();
$desk->order(3);
$desk->order(2);
$desk->price(10000);
array_map([$desk, 'price'], [2500, 40]);
