# Completion of cg2wg for bash. The options and their values are those that cg2wg --help shows.

# _cg2wg_values HELP OPTION: prints the values that an option can have, as far as they are a list.
_cg2wg_values() {
    local list
    list=$(sed -n "s/^  \(-.,\|   \) $2\[\{0,1\}=\([^] ]*\).*/\2/p" <<<"$1")
    case $list in
    *'|'*)
        # What stands for any number cannot be completed.
        tr '|' '\n' <<<"$list" | grep -v '[A-Z]'
        ;;
    esac
}

# _cg2wg_long HELP OPTION: prints the long form of a short option.
_cg2wg_long() {
    sed -n "s/^ *$2, \(--[a-z-]*\).*/\1/p" <<<"$1"
}

# _cg2wg_events PROGRAM WORD...: prints the events of the first word that is a profile.
_cg2wg_events() {
    local program=$1 word
    shift
    for word; do
        [[ -f $word ]] || continue
        "$program" --list-events "$word" 2>/dev/null | sed 's/ .*//'
        return
    done
}

# _cg2wg_files WORD: completes a file's name.
_cg2wg_files() {
    local line
    COMPREPLY=()
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <(compgen -f -- "$1")
}

# _cg2wg_offer LIST WORD: offers the lines of a list that a word can become.
_cg2wg_offer() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        [[ -z $line || $line != "$2"* ]] || COMPREPLY+=("$line")
    done <<<"$1"
}

_cg2wg() {
    local program=$1 word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local help option='' i values
    help=$("$program" --help 2>/dev/null) || return

    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            _cg2wg_files "$word"
            return
        fi
    done

    # bash parts words at "=": `--format=7` is three of them.
    if [[ $word == = ]]; then
        option=$before word=
    elif [[ $before == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $before == -[a-zA-Z] ]]; then
        option=$(_cg2wg_long "$help" "$before")
    elif [[ $before == --* ]] && grep -q -e "$before=" <<<"$help"; then
        option=$before
    fi

    # An option that takes no value leaves what follows it to the operands.
    if [[ -n $option ]] && grep -q -e "$option\[\{0,1\}=" <<<"$help"; then
        values=$(_cg2wg_values "$help" "$option")
        if [[ -z $values && $option == "$(_cg2wg_long "$help" -e)" ]]; then
            values=$(_cg2wg_events "$program" "${COMP_WORDS[@]:1}")
        fi
        if [[ -n $values ]]; then
            _cg2wg_offer "$values" "$word"
        else
            _cg2wg_files "$word"
        fi
    elif [[ $word == -* ]]; then
        _cg2wg_offer "$(grep -o -e '^  -.,\| --[a-z-]*=\{0,1\}' <<<"$help" | tr -d ' ,' |
            sort -u)" "$word"
        # A value follows at once.
        [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
    else
        _cg2wg_files "$word"
    fi
}

complete -o bashdefault -F _cg2wg cg2wg
