#!/bin/sh
# SPDX-License-Identifier: MIT
# generate.sh SHELL COMMAND...: writes the completion of cg2wg for bash, zsh or fish. COMMAND runs the program;
# its --list-options prints the table of options: letter, name, argument and help, with tabs between them.
set -eu
shell=$1
shift
template=$(dirname "$0")/cg2wg.$shell.in
options=$("$@" --list-options)
printf '%s\n' "$options" | awk -F '\t' -v shell="$shell" -v template="$template" '
# The help up to where details begin.
function summary(help) {
    sub(/[;:(].*/, "", help)
    sub(/ $/, "", help)
    return help
}

function escaped(text, characters) {
    gsub("[" characters "]", "\\\\&", text)
    return text
}

# How an argument is completed: its words between `before` and `after`, but none in capitals, for other values.
function action(argument, file, folder, event, before, after,    words, count, i, list) {
    if (argument ~ /^(OUTPUT|FILE|OLD)$/)
        return file
    if (argument == "DIR" || argument == "EVENT")
        return argument == "DIR" ? folder : event
    count = split(argument, words, "|")
    for (i = 1; i <= count; i++)
        if (words[i] !~ /[A-Z]|^-$/)
            list = list (list == "" ? before : " ") words[i]
    return list == "" ? "" : list after
}

function zsh_row(letter, name, argument, optional, help,    forms, words, before) {
    before = help ~ /may be repeated/ ? "*" : letter != "-" ? "(-" letter " --" name ")" : ""
    help = summary(help)
    gsub(/\047/, "\047\\\047\047", help)
    help = "[" escaped(help, ":\\]\\[") "]"
    words = action(argument, "_files", "_files -/", "_cg2wg_events", "(", ")")
    if (argument != "-")
        help = help (optional ? "::" : ":") tolower(argument ~ /\|/ ? name : argument) ":" (words == "" ? " " : words)
    forms = "--" name (argument == "-" ? "" : optional ? "=-" : "=")
    if (letter == "-")
        return "    \047" before forms help "\047 \\"
    return "    \047" before "\047{-" letter (argument == "-" ? "" : "+") "," forms "}\047" help "\047 \\"
}

function fish_row(letter, name, argument, optional, help,    only, words) {
    only = argument == "-" || optional ? "" : " -x"
    words = action(argument, " -r -F", only " -a \047(__fish_complete_directories)\047",
        only " -a \047(__cg2wg_events)\047", only " -a \047", "\047")
    return "complete -c cg2wg" (letter == "-" ? "" : " -s " letter) " -l " name (words == "" ? only : words) \
        " -d \047" escaped(help, "\\\\\047") "\047"
}

{
    optional = sub(/^=/, "", $3)
    if (shell == "bash")
        rows = rows $1 " " $2 " " (optional ? "=" : "") $3 "\n"
    else if (shell == "zsh")
        rows = rows zsh_row($1, $2, $3, optional, $4) "\n"
    else
        rows = rows fish_row($1, $2, $3, optional, summary($4)) "\n"
}

END {
    while ((getline line <template) > 0)
        if (line == "@OPTIONS@")
            printf "%s", rows
        else
            print line
}'
