<?php
// A nightly import that waits for a supplier: 50 seconds, more than 2^32 units of 10 ns.
function fetchPage(int $page): string
{
    sleep(9);
    return str_repeat("item $page;", 100);
}

function parsePage(string $text): int
{
    $until = hrtime(true) + 1000000000;
    do {
        $items = explode(';', $text);
    } while (hrtime(true) < $until && usleep(100000) === null);
    return count($items);
}

function importAll(): int
{
    $count = 0;
    for ($page = 1; $page <= 5; $page++) {
        $count += parsePage(fetchPage($page));
    }
    return $count;
}

echo importAll(), "\n";
