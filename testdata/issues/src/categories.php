<?php
// A shop's categories, shown by a function that calls itself.
function show(array $category, int $level = 0): string
{
    $text = str_repeat(' ', $level) . $category['name'] . "\n";
    foreach ($category['parts'] as $part) {
        $text .= show($part, $level + 1);
    }
    return $text;
}

function category(int $depth): array
{
    $parts = [];
    for ($i = 0; $depth > 0 && $i < 2; $i++) {
        $parts[] = category($depth - 1);
    }
    return ['name' => "category $depth", 'parts' => $parts];
}

echo show(category(4));
