#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# tprof, new in Erlang/OTP 27, says with call_memory how many words each function allocates.
# Expected: a list that a process builds and sends counts where it is built, and a binary of a
# megabyte counts as that, or as nothing.
#
# Seen: the list counts twice, 2000 words where it is built, and 2000 more in the function that
# receives it, which has allocated nothing, as the message is copied into its heap. The binary
# counts as the 8 words of its handle, so it is as small as a tuple.
#
# Why it matters: a sum over processes is more than was built, and the function that grew may
# be one whose messages did. What large binaries cost is in no such profile.
#
# Debian 13's erlang-base and erlang-tools 27.3.4.1; November 2026

source "$(dirname "$0")/support.bash"
erlang=1:27.3.4.1+dfsg-1+deb13u4
debian_packages trixie "erlang-base=$erlang" "erlang-tools=$erlang" \
    "erlang-runtime-tools=$erlang" libc6=2.41-12+deb13u5 libgcc-s1=14.2.0-19 \
    libstdc++6=14.2.0-19 libtinfo6=6.5+20250216-2 libsystemd0=257.13-1~deb13u1 \
    libcap2=1:2.75-10+deb13u1+b3 zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1

cat >"$work/root/tmp/words.erl" <<'END'
-module(words).
-export([main/0, receives/0, sends/1, copies/0]).

receives() ->
    Self = self(),
    spawn(words, sends, [Self]),
    receive List -> length(List) end.

sends(To) -> To ! lists:seq(1, 1000).

copies() -> binary:copy(<<0>>, 1000000).

show(Function) ->
    {_, {call_memory, Traced}} =
        tprof:profile(words, Function, [], #{type => call_memory, report => return}),
    Words = [{Module, Name, lists:sum([Words || {_, _, Words} <- Processes])}
             || {Module, {Name, _}, Processes} <- [{M, {N, A}, P} || {M, N, A, P} <- Traced]],
    [io:format("~p:~p ~p~n", [Module, Name, Sum])
     || {Module, Name, Sum} <- lists:sort(Words), lists:member(Module, [binary, lists, words])].

main() ->
    show(receives),
    show(copies),
    halt().
END
# usage: erlang ARGUMENT...
erlang() {
    ROOTDIR=/usr/lib/erlang BINDIR=/usr/lib/erlang/erts-15.2.7/bin EMU=beam PROGNAME=erl \
        in_root /usr/lib/erlang/erts-15.2.7/bin/erlexec -noshell "$@"
}
erlang -eval 'compile:file("/tmp/words", [{outdir, "/tmp"}]), halt().'
shows "words by function" "$(erlang -pa /tmp -s words main)" \
"lists:seq_loop 2000
words:receives 2002
words:sends 2
binary:copy 8"
