"""From a clean environment with a package index: the wheel installs, and what the READMEs show works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

HERE = Path(__file__).parent.parent
READMES = [HERE / "README.md", HERE.parent.parent / "README.md", HERE.parent.parent / "docs" / "python.md"]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with nothing but the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(HERE)]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel], check=True)
    return python


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.parent.name + "/" + path.name)
def test_the_second_run_gets_the_lesson_of_the_first(python: Path, tmp_path: Path, readme: Path) -> None:
    program = next(block for block in re.findall(r"```python\n(.*?)```", readme.read_text(), re.DOTALL))
    said = []
    for _ in range(2):
        env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(
            [python, "-W", "error", "-c", program], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        said.append(done.stdout)
    assert "mneme-lessons" not in said[0]
    assert "User correction: Ask for the order number first" in said[1]
