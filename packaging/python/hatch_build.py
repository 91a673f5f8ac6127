"""Puts the program of one platform into the wheel, among the scripts of the environment that it is installed in."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TAGS = {
    "linux/amd64": "manylinux_2_17_x86_64.musllinux_1_2_x86_64",
    "linux/arm64": "manylinux_2_17_aarch64.musllinux_1_2_aarch64",
    "darwin/amd64": "macosx_10_9_x86_64",
    "darwin/arm64": "macosx_11_0_arm64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version, build_data):
        program = os.environ["PROGRAM"]
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + TAGS[os.environ["PLATFORM"]]
        build_data["shared_scripts"][program] = os.path.basename(program)
