<?php from_old(2); class Old2 { function f() { return from_old(1); } } $o = new Old2; $o->f();
