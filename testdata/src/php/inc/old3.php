<?php return from_old($n);
