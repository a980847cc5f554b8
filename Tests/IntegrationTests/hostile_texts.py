"""Hostile texts: what each would do to whom, how it is marked, and what a reader may see of it.

A text holds a mark that occurs nowhere else. Whoever finds the mark in an output knows which text
came out and through which place it came in, and can say what stands before and behind it.
"""

import re

# What stands before the mark, and what behind it.
ATTACKS = [
    # Commands to the runner of a job.
    ("::error::", ""), ("  ::warning file=x::", ""), ("\t::stop-commands::", ""),
    ("\u00a0::error::", ""), ("\u3000::notice::", ""), ("##[error]", ""),
    ("  ##[add-mask]", ""), ("##vso[task.setvariable variable=x]", ""), ("#" * 4 + "[group]", ""),
    ("\n::error::", ""), ("a\r::warning::", ""), ("\x85::error::", ""), ("\u2028##[error]", ""),
    ("\x0b::error::", ""), ("a " * 60 + "::error::", ""), ("a" * 99 + " ::set-env name=x::", ""),
    # Terminals.
    ("\x1b[2J\x1b[31m", "\x1b[0m"), ("\x1b]0;", "\x07"), ("\x9b31m", "\x9c"), ("a\x08\x7f", "\x00"),
    ("\u202e", "\u2066"), ("\u061c\u200e", "\u200f"), ("\u2067\u202a\u202d", "\u2069\u202c"),
    ("\u200b\ufeff\u2060", "\u00ad"), ("\U000e0041", "\U000e0042"),
    # HTML and XML.
    ("<script>alert(1)//", "</script>"), ("</script><img src=x onerror=alert(1)>", ""),
    ("]]><!--", "-->"), ("\"'><b onmouseover=alert(1)>", "</b>"), ("&lt;&#60;&amp;", "&"),
    ("</style></title></pre></code></td>", "<svg/onload=alert(1)>"), ("javascript:", "//"),
    # Markdown.
    ("- ", ""), ("1. ", ""), ("1) ", ""), ("+ ", ""), ("* ", ""), ("# ", ""), ("> ", ""),
    ("```", "```"), ("~~~", ""), ("[", "](javascript:alert(1))"),
    ("![", "](http://x.example/x.png)"), ("| ", " | b |"), ("*a* _", "_ **c** ~~d~~ `e`"),
    ("@", " #12 !3 GH-4"), ("http://x.example/", " www.x.example a@x.example"), ("\\", "\\*a\\*"),
    ("---\n", ""), ("===\n", "\n==="), ("[x]: http://x.example/", ""), ("<http://x.example/", ">"),
    ("$", "$ :smile: ^y^"), ("    ", "\n\n    code"),
    # Spreadsheets.
    ("=1+", ""), ("+1-", ""), ("-1+", ""), ("@SUM(", ")"), ("\t=1+", ""), ("\n=1+", ""),
    ("\r=1+", ""), ("\n\t+1+", ""), ("\uff1d1+", ""), ("\uff0b1+", ""), ("\uff0d1+", ""),
    ("\uff20SUM(", ")"), ("\t\uff1d1+", ""), ("\tx", ""), ("a,\"b\",", "\";x"),
    # Labels of metrics, JSON, YAML, and what undoes an escape.
    ("a\"b\\", "\\n\"} 1\n"), ("{x=\"1\",", "} 5 # EOF"), ("\\u{202E}\\u001b", "\\"),
    ("%0A::error::", "%25%3A"), ("\",\"evil\":\"", "\"}"), (": {a: ", ", b: [}"),
]


def mark(place, number):
    """The mark of a text in a place."""
    return f"Q{place:02}q{number:02}z"


MARK = re.compile(r"Q(\d\d)q(\d\d)z")


def text(place, number):
    before, behind = ATTACKS[number]
    return before + mark(place, number) + behind


# What moves, hides or reorders what a reader sees. Written anew, not taken over from the program.
HARMFUL = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\xad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff"
    "\\U000e0000-\\U000e0fff]")


def is_harmful(character):
    return HARMFUL.match(character) is not None


def shown(part):
    """A text as a terminal shows it: with what is harmful spelt out."""
    return HARMFUL.sub(lambda found: f"\\u{{{ord(found[0]):X}}}", part)


def squeezed(part):
    """Without blanks: lines are broken anywhere, and blanks do no harm but before a command."""
    return "".join(part.split())
