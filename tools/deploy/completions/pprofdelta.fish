# SPDX-License-Identifier: Apache-2.0
# Completes the command line of pprofdelta in fish. The program says what can stand where.

# Prints which names can stand here, none, files or folders, and then each word with its meaning.
function __pprofdelta_answer
    command -q pprofdelta; or return
    set -l typed (commandline -opc)
    set -l all (commandline -op)
    # With its quotes, as the last one may be open.
    set -l word (commandline -ct)
    set -l after
    set -l next (math (count $typed) + 1)
    test -n "$word"; and set next (math $next + 1)
    if test $next -le (count $all)
        set after $all[$next..]
    end
    command pprofdelta __complete (math (count $typed) - 1) $typed[2..] \
        (string trim --left --chars '\'"' -- "$word") $after 2>/dev/null </dev/null
end

function __pprofdelta_has_files
    string match -qr '^files\t' -- (__pprofdelta_answer)[1]
end

function __pprofdelta_candidates
    set -l answer (__pprofdelta_answer)
    string join \n -- $answer[2..]
    if string match -qr '^folders\t' -- $answer[1]
        __fish_complete_directories (commandline -ct)
    end
end

complete -c pprofdelta -f -a '(__pprofdelta_candidates)'
complete -c pprofdelta -n __pprofdelta_has_files -F
