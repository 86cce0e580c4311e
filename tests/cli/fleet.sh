#!/bin/sh
# SPDX-License-Identifier: MIT
# fleet.sh PROGRAM: the commands of docs/merging.md, with make and with GNU parallel on this and on other machines, make
# the same bytes as one command with all profiles.
. "$(dirname "$0")/suite.inc"

mkdir "$scratch/bin" "$scratch/ssh"
ln -s "$program" "$scratch/bin/cg2wg"
PATH=$scratch/bin:$PATH
PARALLEL_HOME=$scratch/parallel
export PATH PARALLEL_HOME
mkdir "$PARALLEL_HOME"
: >"$PARALLEL_HOME/will-cite"

# block HEADING NUMBER: an indented block of that chapter of the document, without prompts
block() {
    awk -v heading="## $1" -v number="$2" '
        /^## / { inside = $0 == heading }
        inside && /^    / { if (!within) count++; within = 1 }
        inside && /^[^ ]/ { within = 0 }
        inside && within && count == number { sub(/^    /, ""); sub(/^\$ /, ""); print }' "$top/docs/merging.md"
}

# profiles: 12 of one program, each with another cost, and what all of them are
profiles() {
    for number in 01 02 03 04 05 06 07 08 09 10 11 12; do
        sed "s/^36 .*/36 1${number}/; s/^cmd: .*/&?n=$number/" "$top/testdata/xdebug/3.2-release.out" >cachegrind.out."$number"
    done
    cg2wg -q -o once cachegrind.out.*[0-9z] || echo "no result"
}

# same FILE: it has these bytes; and nothing but the files of the case is left
same() {
    cmp once "$1" && echo same
    rm -rf once cachegrind.out.* list.* part* all.webgrind Makefile hosts web1* web2* web3*
}

run 'make converts each once, and merges' 0 'profiles; block "With make" 1 | sed "/make -j/,\$ d" >Makefile
    block "With make" 1 | grep -c "^make -j"; make -s -j >/dev/null; same cachegrind.out.today.webgrind' out='1
same'
chapter='More profiles than a command line holds'
run 'make merges parts' 0 'profiles; block "$chapter" 1 | sed "s/300/5/" >commands; . ./commands; rm commands
    block "$chapter" 3 >Makefile; make -s -j; ls list.*.webgrind | wc -l; same all.webgrind' out='3
same'

if ! have parallel || [ -z "$(parallel --version 2>/dev/null | grep '^GNU parallel')" ]; then
    skip 'GNU parallel merges parts' 'no GNU parallel'
    finish
fi
run 'GNU parallel merges parts' 0 'profiles; { block "$chapter" 1 | sed "s/300/1/"; block "$chapter" 2; } >commands; . ./commands; rm commands
    ls list.*.webgrind | wc -l; same all.webgrind' out='12
same'
block 'With GNU parallel, on several machines' 2 >"$scratch/transfer"
run 'GNU parallel converts on this machine' 0 'profiles; echo : >hosts; . "$scratch/transfer" 2>messages; rm messages; same all.webgrind' out='same'

# ---- other machines: an ssh server of our own, in which web1, web2 and web3 are folders

port=$((20000 + $$ % 20000))
ssh_program=$(command -v ssh)
sshd=$(PATH=$PATH:/usr/sbin command -v sshd)
start_server() {
    [ -n "$ssh_program" ] && [ -n "$sshd" ] && have ssh-keygen && have rsync || return 1
    ssh-keygen -q -t ed25519 -N '' -f "$scratch/ssh/host" && ssh-keygen -q -t ed25519 -N '' -f "$scratch/ssh/key" || return 1
    printf '%s\n' "Port $port" 'ListenAddress 127.0.0.1' "HostKey $scratch/ssh/host" "PidFile $scratch/ssh/pid" \
        "AuthorizedKeysFile $scratch/ssh/key.pub" 'StrictModes no' 'UsePAM no' 'AcceptEnv WEB' "SetEnv PATH=$PATH HOME=$scratch" \
        'PermitRootLogin yes' "ForceCommand cd $scratch/ssh/\$WEB && sh -c \"\$SSH_ORIGINAL_COMMAND\"" >"$scratch/ssh/server"
    for host in web1 web2 web3; do
        mkdir "$scratch/ssh/$host"
        printf '%s\n' "Host $host" "SetEnv WEB=$host"
    done >"$scratch/ssh/client"
    # One connection to each machine serves all commands.
    printf '%s\n' 'Host *' 'HostName 127.0.0.1' "Port $port" "IdentityFile $scratch/ssh/key" 'IdentitiesOnly yes' \
        'ControlMaster auto' "ControlPath $scratch/ssh/of-%n" 'ControlPersist yes' \
        'StrictHostKeyChecking no' "UserKnownHostsFile $scratch/ssh/known" 'LogLevel ERROR' >>"$scratch/ssh/client"
    printf '#!/bin/sh\nexec %s -F %s "$@"\n' "$ssh_program" "$scratch/ssh/client" >"$scratch/bin/ssh"
    chmod +x "$scratch/bin/ssh"
    "$sshd" -f "$scratch/ssh/server" -E "$scratch/ssh/log" 2>/dev/null || return 1
    trap 'for host in web1 web2 web3; do ssh -O exit $host 2>/dev/null; done
        kill "$(cat "$scratch/ssh/pid")"; cd /; rm -rf "$scratch"' EXIT
    await test -s "$scratch/ssh/pid" && [ "$(for host in web1 web2 web3; do ssh $host echo works 2>/dev/null; done | uniq -c | tr -s ' ')" = ' 3 works' ]
}
if start_server; then
    run 'GNU parallel converts on other machines, and leaves nothing there' 0 'profiles; printf "%s\n" web1 web2 web3 >hosts; . "$scratch/transfer"; same all.webgrind
        find "$scratch/ssh/web1" "$scratch/ssh/web2" "$scratch/ssh/web3" -type f | wc -l' out='same
0'
    run 'each machine merges its own profiles' 0 'profiles; mv cachegrind.out.0[1-4] "$scratch/ssh/web1"; mv cachegrind.out.0[5-9] "$scratch/ssh/web2"; mv cachegrind.out.1* "$scratch/ssh/web3"
        block "With GNU parallel, on several machines" 1 | sed "s|/tmp/||" >commands; . ./commands; rm commands; same all.webgrind' out='same'
else
    skip 'GNU parallel converts on other machines, and leaves nothing there' 'no ssh server can be started, or no rsync'
    skip 'each machine merges its own profiles' 'no ssh server can be started, or no rsync'
fi

finish
