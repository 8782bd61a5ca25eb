"""The curl lines of README.md, run as they stand there against a fresh service.

A fenced block that begins with ```sh and whose commands are curl calls to http://127.0.0.1:8080 is
an example; the address is the only thing that is replaced. A ```json block right behind it is the
answer that the README promises: the service's answer must have the same shape."""

import json
import os
import re
import subprocess
import unittest

from assay_process import SOURCE_DIR, ServiceTest

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.M | re.S)
ADDRESS = "http://127.0.0.1:8080"


def examples():
    with open(os.path.join(SOURCE_DIR, "README.md"), encoding="utf-8") as file:
        blocks = FENCE.findall(file.read())
    found = []
    for i, (language, text) in enumerate(blocks):
        if language == "sh" and ADDRESS in text and "curl" in text:
            answer = blocks[i + 1][1] if i + 1 < len(blocks) and blocks[i + 1][0] == "json" else None
            found.append((text, answer))
    return found


def shape_problems(promised, given, path="$"):
    """Where `given` lacks what `promised` shows; values may differ, and an ellipsis ends a list."""
    if isinstance(promised, dict):
        if not isinstance(given, dict):
            return [f"{path}: not an object"]
        problems = [f"{path}.{key} is missing" for key in promised if key not in given and "…" not in key]
        for key in promised:
            if key in given:
                problems += shape_problems(promised[key], given[key], f"{path}.{key}")
        return problems
    if isinstance(promised, list):
        if not isinstance(given, list) or (promised and not given):
            return [f"{path}: not a list with entries"]
        return shape_problems(promised[0], given[0], f"{path}[0]") if promised else []
    if promised is None or given is None or isinstance(promised, bool) != isinstance(given, bool):
        return [] if promised is None or given is None else [f"{path}: {given!r}, not like {promised!r}"]
    same = isinstance(promised, (int, float)) == isinstance(given, (int, float)) and isinstance(promised, str) == isinstance(given, str)
    return [] if same else [f"{path}: {given!r}, not like {promised!r}"]


class Readme(ServiceTest):
    def test_its_curl_lines_give_what_it_shows(self):
        found = examples()
        self.assertGreaterEqual(len(found), 5)
        self.assertGreaterEqual(len([answer for _, answer in found if answer]), 3)
        for script, answer in found:
            with self.subTest(script.strip().splitlines()[0]):
                done = subprocess.run(["bash", "-euo", "pipefail", "-c", script.replace(ADDRESS, self.service.origin)],
                                      capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual(done.returncode, 0, done)
                self.assertTrue(done.stdout.strip(), done)
                if answer:
                    self.assertEqual(shape_problems(json.loads(answer), json.loads(done.stdout)), [])
                elif done.stdout.lstrip().startswith("{"):
                    self.assertTrue(json.loads(done.stdout)["disclaimer"])


if __name__ == "__main__":
    unittest.main()
