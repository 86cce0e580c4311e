<?php
// A small invoice: classes, a generator, sorting, templates. The demo shows it.
class Money
{
    public function __construct(private int $cents) {}
    public function plus(Money $other): Money { return new Money($this->cents + $other->cents); }
    public function percent(int $rate): Money { return new Money(intdiv($this->cents * $rate, 100)); }
    public function cents(): int { return $this->cents; }
    public function __toString(): string { return number_format($this->cents / 100, 2); }
}

class Line
{
    public function __construct(public string $article, public int $count, private Money $price) {}
    public function total(): Money
    {
        $sum = new Money(0);
        for ($i = 0; $i < $this->count; $i++)
            $sum = $sum->plus($this->price);
        return $sum;
    }
}

class Template
{
    private array $parts = [];
    public function render(string $text, array $values): string
    {
        foreach ($this->tokens($text) as $token)
            $this->parts[] = $token[0] === '{' ? $this->value($token, $values) : $token;
        return implode('', array_splice($this->parts, 0));
    }
    private function tokens(string $text): Generator
    {
        foreach (preg_split('/(\{\w+\})/', $text, -1, PREG_SPLIT_DELIM_CAPTURE | PREG_SPLIT_NO_EMPTY) as $token)
            yield $token;
    }
    private function value(string $token, array $values): string { return str_pad($values[trim($token, '{}')], 12); }
}

class Invoice
{
    private array $lines = [];
    public function add(Line $line): void { $this->lines[] = $line; }
    public function sorted(): array
    {
        usort($this->lines, [self::class, 'order']);
        return $this->lines;
    }
    public static function order(Line $a, Line $b): int { return $b->total()->cents() <=> $a->total()->cents(); }
    public function total(): Money
    {
        $sum = new Money(0);
        foreach ($this->lines as $line)
            $sum = $sum->plus($line->total());
        return $sum;
    }
    public function text(Template $template): string
    {
        $text = '';
        foreach ($this->sorted() as $line)
            $text .= $template->render("{count} {article} {total}\n", ['count' => $line->count,
                'article' => $line->article, 'total' => (string) $line->total()]);
        return $text . $template->render("tax {tax} total {total}\n", ['tax' => (string) $this->total()->percent(19),
            'total' => (string) $this->total()]);
    }
}

$invoice = new Invoice;
foreach (['tea' => 799, 'mug' => 1250, 'pot' => 3900, 'tin' => 450, 'spoon' => 199] as $article => $price)
    $invoice->add(new Line($article, strlen($article), new Money($price)));
echo $invoice->text(new Template);
