<?php
// Calls of one function from several lines, and several of one record to the same function.
function price($x) { return $x; }
function both($x) { return price($x) + price($x); }
price(1); price(2); both(3);
price(1);
for ($i = 0; $i < 30; $i++) { both($i); }
function total() {
    return price(
        both(1)
    ) + price(
        2
    );
}
total(); total();
(function () { price(1); })(); (function () { price(2); })();
