"""Runs the program."""

from . import main

main()
