<?php
return ["name" => ucfirst("shop"), "count" => count([1, 2])];
