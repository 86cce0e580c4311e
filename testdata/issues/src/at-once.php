<?php
posix_kill(posix_getpid(), 9);
