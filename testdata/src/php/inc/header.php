<?php for ($i = 0; $i < 5; $i++) echo str_repeat("part ", 2); echo "\n";
