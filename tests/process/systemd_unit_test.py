"""The systemd unit: it starts the program as it is, with nothing that reliability asks for left out."""

import os
import re
import shlex
import subprocess
import unittest

from assay_process import PROGRAM, SOURCE_DIR, STOP_TIMEOUT_S, TemporaryDirectory, clean_environment, run

UNIT = os.path.join(SOURCE_DIR, "conf", "assay.service")


def directives():
    """Every directive of the unit with its values in order; an empty one is kept."""
    found = {}
    with open(UNIT, encoding="utf-8") as file:
        for line in file:
            if match := re.fullmatch(r"(\w+)=(.*)", line.strip()):
                found.setdefault(match[1], []).append(match[2])
    return found


class Unit(TemporaryDirectory):
    def test_it_is_hardened(self):
        unit = directives()
        for name, value in (("DynamicUser", "yes"), ("ProtectSystem", "strict"), ("NoNewPrivileges", "yes"), ("CapabilityBoundingSet", ""),
                            ("SystemCallFilter", "@system-service"), ("PrivateDevices", "yes"), ("MemoryDenyWriteExecute", "yes")):
            self.assertEqual(unit[name][0], value, name)
        self.assertRegex(unit["MemoryMax"][0], r"^\d+[MG]$")

    def test_its_limits_hold_what_the_configuration_allows(self):
        unit = directives()
        defaults = dict(re.findall(r"^(\w+) = (\d+)$", run("config").stdout, re.MULTILINE))
        self.assertGreaterEqual(int(unit["LimitNOFILE"][0]), int(defaults["connections_max"]) + 64)
        self.assertGreater(int(unit["TimeoutStopSec"][0]), int(defaults["drain_timeout_s"]))

    def test_its_command_line_serves(self):
        os.mkdir(self.path("credentials"))
        with open(self.path("credentials/assay.toml"), "w", encoding="utf-8") as file:
            file.write('[server]\nlisten = "127.0.0.1:0"\n[admin]\nlisten = "127.0.0.1:0"\n')
        os.mkdir(self.path("state"))
        places = {"CREDENTIALS_DIRECTORY": self.path("credentials"), "STATE_DIRECTORY": self.path("state")}
        command = [re.sub(r"\$\{(\w+)\}", lambda m: places[m[1]], word) for word in shlex.split(directives()["ExecStart"][0])]
        self.assertEqual(command[0], "assay")
        with subprocess.Popen([PROGRAM, *command[1:]], env=clean_environment(), stdout=subprocess.PIPE, text=True) as service:
            try:
                self.assertIn("listening on http://127.0.0.1:", service.stdout.readline())
                self.assertTrue(os.path.exists(self.path("state/archive.sqlite")))
            finally:
                service.terminate()
            self.assertEqual(service.wait(STOP_TIMEOUT_S), 0)


if __name__ == "__main__":
    unittest.main()
