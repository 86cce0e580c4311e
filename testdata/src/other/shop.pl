# For NYTProf: packages, AUTOLOAD, recursion, sort with calls in its block, a code reference, eval.
use strict;
package Item;
sub new { bless { price => $_[1] }, $_[0] }
sub price { $_[0]{price} }
sub AUTOLOAD { our $AUTOLOAD; return if $AUTOLOAD =~ /DESTROY/; length $AUTOLOAD }
package main;
sub fib { my $n = shift; $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
sub even { my $n = shift; $n ? odd($n - 1) : 0 }
sub odd { my $n = shift; $n ? even($n - 1) : 1 }
my @prices = sort { Item->new($a)->price <=> Item->new($b)->price } map { ($_ * 7919) % 101 } 1 .. 20;
my $discount = sub { even(5) + shift };
print $discount->($_) for 1 .. 3;
eval "fib(4); sub made { fib(3) } made()";
eval { die "x\n" };
print Item->new(1)->nothing, fib(9), "\n";
