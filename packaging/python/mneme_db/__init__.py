"""The program mneme, as a package. `mneme_db.program()` is where it is."""

import os
import subprocess
import sys
import sysconfig


def program() -> str:
    """The file of the program: in this environment, else with what was installed for the user or into a target."""
    name = "mneme" + (sysconfig.get_config_var("EXE") or "")
    user = sysconfig.get_preferred_scheme("user")
    beside = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin")
    for folder in (sysconfig.get_path("scripts"), sysconfig.get_path("scripts", user), beside):
        file = os.path.join(folder, name)
        if os.path.isfile(file):
            return file
    raise FileNotFoundError(f"{name} of the package mneme-db is gone; install it again")


def main() -> None:
    """What `mneme-db` and `python -m mneme_db` do: run the program in the place of this process."""
    command = [program(), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(command[0], command)
    sys.exit(subprocess.call(command))
