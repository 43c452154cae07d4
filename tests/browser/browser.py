# SPDX-License-Identifier: Apache-2.0
"""Headless browsers that do what a person does: look, point, click, and press keys. To pages they
say that they want no motion, so that everything is where it is going to be.

Each class has, beside what is here:

    NAME, find()          the browser, and its program or None
    complaints            errors and other messages of pages, violations of their policy, dialogs
    requests              the addresses that pages loaded, with their own
    open(path)            shows a file, and returns once it is loaded
    reload()
    evaluate(expression)  the value of an expression of JavaScript
    point(x, y)           moves the mouse there, in pixels of the page that is shown
    click(x, y)
    press(key, *held)     a key by its name in the DOM, while others such as "Control" are held
    resize(width, height) sets the size of the page
    set_dark(is_dark)     what a page sees as the choice of the system
    screenshot(path)      what is seen, as PNG
    print()               the page as PDF, in bytes
"""

import time


class Browser:
    """The part that all of them share."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def type(self, text):
        for letter in text:
            self.press(letter)

    def wait(self, expression, seconds=20):
        """Returns once an expression is true."""
        end = time.monotonic() + seconds
        while not self.evaluate(f"Boolean({expression})"):
            if time.monotonic() > end:
                raise TimeoutError(f"{self.NAME}: not within {seconds} s: {expression}")
            time.sleep(0.02)
