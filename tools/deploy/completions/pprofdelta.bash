# SPDX-License-Identifier: Apache-2.0
# Completes the command line of pprofdelta in bash. The program says what can stand where.

# Sets REPLY to what a word means, without what a shell would put in the place of a part, which
# could do anything; and open_quote to the quote that is not closed.
_pprofdelta_unquote() {
    local i char
    open_quote=
    REPLY=$1
    [[ $1 == *[\\\'\"]* ]] || return 0
    REPLY=
    for ((i = 0; i < ${#1}; i++)); do
        char=${1:i:1}
        if [[ -n $open_quote && $char == "$open_quote" ]]; then
            open_quote=
        elif [[ -z $open_quote && $char == [\'\"] ]]; then
            open_quote=$char
        elif [[ $char == \\ && -z $open_quote ]] ||
            [[ $char == \\ && $open_quote == \" && ${1:i+1:1} == [\\\"\$\`] ]]; then
            i=$((i + 1))
            REPLY+=${1:i:1}
        else
            REPLY+=$char
        fi
    done
}

# Sets REPLY to a text as it has to stand behind the quote $2, or outside of quotes without one.
# What cannot stand there, as a shell would put something else in its place, is empty.
_pprofdelta_quote() {
    REPLY=$1
    case $2 in
    "'") REPLY=${1//\'/\'\\\'\'} ;;
    '"')
        [[ $1 != *!* ]] || REPLY= # it stands for earlier lines, even behind a backslash
        REPLY=${REPLY//\\/\\\\}
        REPLY=${REPLY//\"/\\\"}
        REPLY=${REPLY//\$/\\\$}
        REPLY=${REPLY//\`/\\\`}
        ;;
    *) printf -v REPLY %q "$1" ;;
    esac
    # Readline takes a last one of these for the end of the quote.
    [[ -z $2 || $REPLY != *"$2" ]] || REPLY+=$2
}

_pprofdelta() {
    COMPREPLY=()
    # Bash takes words apart at '=', ':' and the like. What has no blank in between is one word.
    local -a words=()
    local rest=$COMP_LINE part i beyond place=0 current=
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
        part=${COMP_WORDS[i]}
        if ((i > 0)) && [[ -n $rest && $rest != [[:space:]]* ]]; then
            words[${#words[@]} - 1]+=$part
        else
            [[ -z $part ]] || rest=${rest#"${rest%%[![:space:]]*}"}
            words+=("$part")
        fi
        rest=${rest#"$part"}
        if ((i == COMP_CWORD)); then
            place=$((${#words[@]} - 1))
            beyond=$((${#COMP_LINE} - ${#rest} - COMP_POINT))
            current=${words[place]}
            if ((beyond > ${#current})); then
                # The cursor stands in the blanks before.
                words=("${words[@]:0:place}" "" "${words[place]}")
                current=
            elif ((beyond > 0)); then
                current=${current:0:${#current}-beyond}
            fi
        fi
    done
    ((place > 0)) || return 0
    words[place]=$current

    local REPLY open_quote
    for i in "${!words[@]}"; do
        _pprofdelta_unquote "${words[i]}"
        words[i]=$REPLY
    done
    local word=${words[place]}
    # What readline replaces is only what follows the last '=' or ':', and so on.
    _pprofdelta_unquote "$current"
    _pprofdelta_unquote "$open_quote$2"
    local kept=$((${#word} - ${#REPLY}))

    local -a answer=()
    mapfile -t answer < <(command pprofdelta __complete $((place - 1)) "${words[@]:1}" \
        2> /dev/null < /dev/null)
    local names=${answer[0]-} candidate
    for candidate in "${answer[@]:1}"; do
        candidate=${candidate%%$'\t'*}
        if [[ $candidate == "$word"* ]]; then
            _pprofdelta_quote "${candidate:kept}" "$open_quote"
            [[ -z $REPLY ]] || COMPREPLY+=("$REPLY")
        fi
    done
    # Readline knows best what to do with names of files, and does where there is nothing else.
    case ${names%%$'\t'*} in
    files)
        # A name of a command could also be the beginning of one, and has nothing to be quoted.
        if ((${#COMPREPLY[@]} > 0)); then
            compopt -o filenames
            mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word")
        fi
        ;;
    folders) compopt +o bashdefault +o default -o dirnames ;;
    parts) compopt +o bashdefault +o default -o nospace ;;
    *) compopt +o bashdefault +o default ;;
    esac
}

complete -o bashdefault -o default -F _pprofdelta pprofdelta
