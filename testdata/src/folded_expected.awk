# SPDX-License-Identifier: MIT
# awk -f folded_expected.awk FILE.folded: the figures of collapsed stacks whose names have neither annotations nor blanks.
# A function or call that a stack holds several times counts once in it.
{
    count = $NF
    depth = split($1, frames, ";")
    total += count
    split("", met)
    for (i = 1; i <= depth; i++) {
        name = frames[i]
        if (!met[name]++)
            inclusive[name] += count
        call = frames[i - 1] "\t*\t" name
        if (i > 1 && !met[call]++)
            calls[call] += count
    }
    self[frames[depth]] += count
}
END {
    printf "unit\t1\t1\ntotal\t%d\n", total
    for (name in inclusive)
        printf "function\t%d\t%d\t%d\t*\t%s\n", inclusive[name], self[name], inclusive[name], name
    for (call in calls)
        printf "call\t%d\t%d\t*\t%s\n", calls[call], calls[call], call
}
