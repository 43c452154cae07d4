# SPDX-License-Identifier: Apache-2.0
"""Names of functions that try to be something else, and what becomes of them."""

import unicodedata

TEXTS = [
    b"<script>window.owned = 1</script>",
    b"</script><script>window.owned = 1</script>",
    b"</title></g></svg><script>window.owned = 1</script>",
    b"<img src=x onerror='window.owned = 1'>",
    b"<svg onload=\"window.owned = 1\">",
    b"<iframe srcdoc='<script>parent.owned = 1</script>'>",
    b"<a href='javascript:window.owned = 1'>click</a>",
    b"<style>* { display: none }</style>",
    b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?xml version='1.0'?>", b"<!DOCTYPE html>",
    b"<!ENTITY x SYSTEM 'file:///etc/passwd'>", b"&x;", b"&amp;lt;b&amp;gt;", b"&#0;", b"&#x1b;",
    b"\"", b"'", b"`", b"\\", b"\\\"", b"\\u003cscript\\u003e", b"\";window.owned=1;//",
    b"');window.owned=1;('", b"${window.owned=1}", b"{{constructor.constructor('owned=1')()}}",
    b"__proto__", b"constructor", b"toString", b"hasOwnProperty", b"undefined", b"null", b"NaN",
    b"0", b"-1", b" ", b"  two  blanks  ", b"\ttab", b"line\nline", b"line\r\nline",
    "line\u2028line\u2029line\u0085line".encode(),
    b"\x1b[31mred\x1b[0m", b"\x1b]0;title\x07", b"\x9b31m", b"\x08\x08\x08over", b"\x7f",
    b"\x00", b"before\x00after", b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
    "\ufeffmark".encode(), "\ufffe\uffff".encode(), "\U0001ffff".encode(),
    "\u202egnp.exe\u202c".encode(), "\u2066\u2067\u2068\u2069".encode(), "\u200e\u200f".encode(),
    "\u05d0\u05d1\u05d2 (1)".encode(), "\u0627\u0644\u0639\u0631\u0628\u064a\u0629".encode(),
    "e\u0301\u0327\u0316".encode(), ("o" + "\u0336" * 200).encode(), "\u200b\u200c\u200d".encode(),
    "\U0001f468\u200d\U0001f469\u200d\U0001f467".encode(), "\u3042\u6f22\u5b57\ud55c".encode(),
    b"javascript:window.owned=1", b"data:text/html,<script>owned=1</script>", b"file:///etc/passwd",
    b"//example.invalid/x", b"http://example.invalid/x.js", b"expression(window.owned=1)",
    b"url(http://example.invalid/)", b"@import 'http://example.invalid/'", b"#zoom=1&search=x",
    b"std::vector<std::map<int, std::pair<a, b>>>::operator<<(int) const::{lambda()#1}",
    b"a" * 5000, b"<" * 600, ("\u05d0" * 5000).encode(), b"very long and " * 1000,
]
# Characters that cannot be seen as what they are, beside control characters: marks of direction and
# of the end of lines, the byte order mark, and what XML does not allow.
HIDDEN = {0x61c, 0x200e, 0x200f, *range(0x2028, 0x202f), *range(0x2066, 0x206a), 0xfeff, 0xfffe,
          0xffff}


def hostile_names(count):
    """Different names, `count` of them: these, and these with a number before or behind; one has
    1 MB."""
    names = [*TEXTS, b"m" * (1 << 20)]
    number = 0
    while len(names) < count:
        text = TEXTS[number % len(TEXTS)]
        mark = str(number).encode()
        names.append(mark + text if number % 2 else text + mark)
        number += 1
    return names[:count]


def shown(letter):
    code = ord(letter)
    if 0xdc80 <= code <= 0xdcff:  # a byte that is no text, as Python decodes it
        return f"\\x{code - 0xdc00:02x}"
    if unicodedata.category(letter) != "Cc" and code not in HIDDEN:
        return letter
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}"


def printable(name):
    """How the program writes a name: bytes that are no text, and what would not be seen as what it
    is, are escapes as in C."""
    return "".join(map(shown, name.decode("utf-8", "surrogateescape")))
