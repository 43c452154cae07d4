# SPDX-License-Identifier: Apache-2.0
"""Shells with somebody at the keyboard, who presses TAB."""

import fcntl
import os
import pty
import select
import shlex
import subprocess
import termios
import threading
import time
import tty
from pathlib import Path

# Sends what is on the command line to $ANSWER, and clears it.
BASH = """
PS1= PS2= HISTFILE=
bind 'set enable-bracketed-paste off'
bind 'set bell-style none'
bind 'set completion-ignore-case off'
answer() { printf '%s\\0' "$READLINE_LINE" > "$ANSWER"; READLINE_LINE= READLINE_POINT=0; }
bind -x '"\\C-x\\C-p": answer'
bind '"\\C-x\\C-a": insert-completions'
bind '"\\t": complete'
"""
ZSH = """
PS1= PS2= HISTFILE= LISTMAX=0
unsetopt beep prompt_cr prompt_sp automenu
autoload -Uz compinit
compinit -u -D
answer() { print -rn -- "$BUFFER"$'\\0' > $ANSWER; BUFFER= }
zle -N answer
zle -C all-matches complete-word _generic
zstyle ':completion:all-matches:*' completer _all_matches _complete
zstyle ':completion:all-matches:*' insert true
zstyle ':completion:*' insert-tab false
zstyle ':completion:*' list-prompt ''
bindkey -e
bindkey '^X^P' answer
bindkey '^X^A' all-matches
bindkey '\\t' complete-word
"""
FISH = """
function fish_prompt; end
function fish_greeting; end
function answer; begin; commandline; printf '\\0'; end > $ANSWER; commandline ''; end
bind \\cx\\cp answer
"""
KEY_ALL, KEY_TAB, KEY_ANSWER, KEY_LEFT = "\x18\x01", "\t", "\x18\x10", "\x02"


class Stuck(Exception):
    """A shell that does not answer."""


class Interactive:
    """A shell on a terminal, in a folder."""

    def __init__(self, command, setup, folder, env):
        self.answer = Path(env["ANSWER"])
        if not self.answer.exists():
            os.mkfifo(self.answer)
        self.reader = os.open(self.answer, os.O_RDWR)
        self.terminal, end = pty.openpty()
        # Raw also while the shell is not editing, so that keys that come then are not lost.
        tty.setraw(end)
        self.process = subprocess.Popen(command, stdin=end, stdout=end, stderr=end, cwd=folder,
                                        env=env, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(end)
        self.printed = bytearray()
        threading.Thread(target=self._drain, daemon=True).start()
        for line in setup.strip().splitlines():
            self._send(line + "\r")
        self._send(KEY_ANSWER)
        self._read()

    def _drain(self):
        try:
            while data := os.read(self.terminal, 65536):
                self.printed += data
        except OSError:
            pass  # the shell is gone

    def _send(self, keys):
        data = keys.encode()
        while data:
            data = data[os.write(self.terminal, data):]

    def _read(self):
        answer = b""
        end = time.monotonic() + 60
        while not answer.endswith(b"\0"):
            ready, _, _ = select.select([self.reader], [], [], max(end - time.monotonic(), 0))
            if not ready:
                raise Stuck(self.printed.decode(errors="replace"))
            answer += os.read(self.reader, 65536)
        return answer[:-1].decode()

    def _press(self, key, line, after):
        self._send(line + after + KEY_LEFT * len(after) + key + KEY_ANSWER)
        return self._read()

    def tab(self, line, after=""):
        """The command line after TAB was pressed between `line` and `after`."""
        return self._press(KEY_TAB, line, after)

    def all(self, line, after=""):
        """All words that there are for the last one of `line`."""
        kept = line[:len(line) - len(line.split(" ")[-1])]
        done = self._press(KEY_ALL, line, after)
        if done == line + after:
            return []
        return shlex.split(done[len(kept):len(done) - len(after)])

    def words(self, line):
        """The words that the shell makes of a line that prints them."""
        printed = self.answer.with_name("words")
        self._send(f"{line}> {printed}\r" + KEY_ANSWER)
        self._read()
        return printed.read_text().splitlines()

    def wait_for(self, text):
        """Waits until the shell has shown it."""
        end = time.monotonic() + 60
        while text.encode() not in self.printed:
            if time.monotonic() > end:
                raise Stuck(f"this is not shown: {text}")
            time.sleep(0.01)

    def close(self):
        os.close(self.reader)
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)


def bash(scripts, folder, env):
    shell = Interactive(["bash", "--norc", "--noprofile", "-i"], BASH, folder, env)
    shell.tab(f"source {shlex.quote(str(scripts / 'pprofdelta.bash'))}\r")
    return shell


def zsh(scripts, folder, env):
    setup = f"fpath=({shlex.quote(str(scripts))} $fpath)\n{ZSH}"
    return Interactive(["zsh", "-f", "-i"], setup, folder, env)


class Fish(Interactive):
    """Fish tells a script what it would offer."""

    def __init__(self, scripts, folder, env):
        self.script, self.folder, self.env = scripts / "pprofdelta.fish", folder, env
        super().__init__(["fish", "--no-config", "-i"],
                         f"{FISH}source {shlex.quote(str(self.script))}\n", folder, env)

    def described(self, line, _after=""):
        """The words and their meanings."""
        done = subprocess.run(
            ["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]",
             str(self.script), line],
            cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False, text=True, timeout=60)
        return dict((f"{entry}\t".split("\t")[:2]) for entry in done.stdout.splitlines())

    def all(self, line, after=""):
        return list(self.described(line, after))

    def tab(self, line, after=""):
        return super().tab(line, after).removesuffix("\n")
