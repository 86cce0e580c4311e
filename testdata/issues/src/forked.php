<?php
// A process that forks: both write to one profile.
function work($n)
{
    return md5(str_repeat('x', $n));
}

work(1000);
$child = pcntl_fork();
work($child === 0 ? 2000 : 3000);
if ($child > 0) {
    pcntl_wait($status);
}
