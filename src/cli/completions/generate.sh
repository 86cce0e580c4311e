#!/bin/sh
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

# What can be completed of an argument: words; what stands for other values is in capitals.
function choices(argument,    words, count, i, list) {
    count = split(argument, words, "|")
    for (i = 1; i <= count; i++)
        if (words[i] !~ /[A-Z]/)
            list = list (list == "" ? "" : " ") words[i]
    return list
}

function escaped(text, characters) {
    gsub("[" characters "]", "\\\\&", text)
    return text
}

function is_file(argument) {
    return argument ~ /^(OUTPUT|FILE|OLD)$/
}

function zsh_row(letter, name, argument, optional, help,    forms, action, before) {
    before = help ~ /may be repeated/ ? "*" : letter != "-" ? "(-" letter " --" name ")" : ""
    help = summary(help)
    gsub(/\047/, "\047\\\047\047", help)
    help = "[" escaped(help, ":\\]\\[") "]"
    if (is_file(argument))
        action = "_files"
    else if (argument == "DIR")
        action = "_files -/"
    else if (argument == "EVENT")
        action = "_cg2wg_events"
    else if (choices(argument) != "")
        action = "(" choices(argument) ")"
    else
        action = " "
    if (argument != "-")
        help = help (optional ? "::" : ":") tolower(argument ~ /\|/ ? name : argument) ":" action
    forms = "--" name (argument == "-" ? "" : optional ? "=-" : "=")
    if (letter == "-")
        return "    \047" before forms help "\047 \\"
    return "    \047" before "\047{-" letter (argument == "-" ? "" : "+") "," forms "}\047" help "\047 \\"
}

function fish_row(letter, name, argument, optional, help,    row) {
    row = "complete -c cg2wg" (letter == "-" ? "" : " -s " letter) " -l " name
    if (is_file(argument))
        row = row " -r -F"
    else if (argument == "DIR")
        row = row " -x -a \047(__fish_complete_directories)\047"
    else if (argument == "EVENT")
        row = row " -x -a \047(__cg2wg_events)\047"
    else if (argument != "-")
        row = row (optional ? "" : " -x") (choices(argument) == "" ? "" : " -a \047" choices(argument) "\047")
    return row " -d \047" escaped(help, "\\\\\047") "\047"
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
