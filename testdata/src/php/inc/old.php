<?php function from_old($n) { return strrev(str_repeat("ab", $n)); }
