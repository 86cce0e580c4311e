# SPDX-License-Identifier: MIT
# sites.awk FILE...: where the source can be changed, a line for each change:
#
#     GROUP <tab> FILE <tab> LINE <tab> COLUMN <tab> LENGTH <tab> TEXT
#
# The LENGTH bytes at COLUMN (from 1) of the line become TEXT. A GROUP is one of: condition, bound,
# constant, call. It relies on how this source is laid out: blanks around operators, a statement a line.

# The line with comments, strings and characters blanked out, of the same length
function masked(line,    out, i, n, c, two) {
    out = ""
    n = length(line)
    for (i = 1; i <= n; i++) {
        c = substr(line, i, 1)
        two = substr(line, i, 2)
        if (in_comment) {
            out = out " "
            if (two == "*/") {
                in_comment = 0
                out = out " "
                i++
            }
        } else if (two == "/*") {
            in_comment = 1
            out = out "  "
            i++
        } else if (quote != "") {
            out = out "_"
            if (c == "\\") {
                out = out "_"
                i++
            } else if (c == quote) {
                quote = ""
            }
        } else if (c == "\"" || c == "'") {
            quote = c
            out = out "_"
        } else {
            out = out c
        }
    }
    quote = ""
    return out
}

function site(group, column, len, text) {
    print group "\t" FILENAME "\t" FNR "\t" column "\t" len "\t" text
}

# Every place of `from` becomes `to`.
function all(line, group, from, to,    at, start) {
    start = 1
    while ((at = index(substr(line, start), from)) > 0) {
        site(group, start + at - 1, length(from), to)
        start += at - 1 + length(from)
    }
}

# The column of the bracket that closes the one at `open`; 0 if it is on another line
function closing(line, open,    i, depth, c) {
    for (i = open; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "(")
            depth++
        else if (c == ")" && --depth == 0)
            return i
    }
    return 0
}

function constants(line,    start, word, before, after, value) {
    start = 1
    while (match(substr(line, start), /[0-9][0-9a-zA-Z_.]*/)) {
        before = start + RSTART > 2 ? substr(line, start + RSTART - 2, 1) : " "
        word = substr(line, start + RSTART - 1, RLENGTH)
        start += RSTART - 1 + RLENGTH
        if (before ~ /[A-Za-z0-9_.]/ || word !~ /^[0-9]+[uUlL]*$/)
            continue
        value = word + 0
        # One more than a size or a factor changes nothing that can be seen; nor does -2, where -1 says that
        # there is none.
        if (before != "-" || value != 1)
            site("constant", start - RLENGTH, RLENGTH, value >= 256 ? 0 : value + 1)
        if (value > 0 && value < 256)
            site("constant", start - RLENGTH, RLENGTH, value - 1)
    }
}

function bounds(line) {
    all(line, "bound", " < ", " <= ")
    all(line, "bound", " <= ", " < ")
    all(line, "bound", " > ", " >= ")
    all(line, "bound", " >= ", " > ")
    all(line, "bound", " + ", " - ")
    all(line, "bound", " - ", " + ")
    all(line, "bound", " += ", " -= ")
    all(line, "bound", " -= ", " += ")
}

FNR == 1 {
    in_comment = in_directive = 0
}

{
    line = masked($0)
    is_directive = in_directive || line ~ /^#/
    in_directive = is_directive && line ~ /\\$/
    # What the compiler looks at itself is no place for a change.
    if (is_directive || line ~ /static_assert|_Static_assert/)
        next

    all(line, "condition", " && ", " || ")
    all(line, "condition", " || ", " && ")
    if (line ~ / &&$/)
        site("condition", length(line) - 2, 3, " ||")
    if (line ~ / \|\|$/)
        site("condition", length(line) - 2, 3, " &&")
    all(line, "condition", " == ", " != ")
    all(line, "condition", " != ", " == ")
    all(line, "condition", "true;", "false;")
    all(line, "condition", "false;", "true;")
    if (match(line, /(if|while) \(/)) {
        open = RSTART + RLENGTH - 1
        close_at = closing(line, open)
        if (close_at > 0)
            site("condition", open, close_at - open + 1, "(!" substr($0, open, close_at - open + 1) ")")
    }
    # Not how much memory to get, because more makes no difference and the sanitizers notice less; nor
    # limits that an input of gigabytes reaches
    allocates = line ~ /(malloc|calloc|realloc|array_reserve|make_room|records_room)\(/ ||
        line ~ /^ +((static|const|unsigned|struct) )*[a-z_0-9]+ [a-z_0-9, *]+\[[^=]*;$/ && line !~ /^ +return/
    if (!allocates && line !~ /[<>]=? ([A-Z0-9]+_)?(MAX|NONE)[ );]/) {
        bounds(line)
        constants(line)
    }
    # A missing lock seldom makes a difference, and a leak hardly ever: the platform `threads` and the
    # sanitizers look for these.
    if (line ~ /^ +[a-z_0-9]+\(.*\);$/ &&
        line !~ /^ +(return|if|while|for|switch|sizeof|pthread_mutex_[a-z]+|([a-z_0-9]+_)?free|[a-z_]+_destroy)[ (]/) {
        match(line, /[a-z]/)
        if (closing(line, index(line, "(")) == length(line) - 1)
            site("call", RSTART, length(line) - RSTART, "")
    }
}
