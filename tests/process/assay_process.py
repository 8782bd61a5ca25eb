"""Starts the program under test ($ASSAY_PROGRAM) on ports that the system chooses."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

START_TIMEOUT_S = 60
STOP_TIMEOUT_S = 20
# A key that was issued or retired counts on a running service within this time.
KEY_TIMEOUT_S = 1
PROGRAM = os.path.abspath(os.environ["ASSAY_PROGRAM"])
SOURCE_DIR = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
EXEMPT = {"ASSAY_LIMITS_EXEMPT_NETWORKS": "127.0.0.0/8"}


def clean_environment(extra=None):
    """The environment without the caller's own ASSAY_* variables."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ASSAY_")}
    environment["ASSAY_LOG_LEVEL"] = "warn"
    environment.update(extra or {})
    return environment


def run(*arguments, env=None, timeout=START_TIMEOUT_S, cwd=None):
    """Runs the program to its end."""
    return subprocess.run(
        [PROGRAM, *arguments], env=clean_environment(env), capture_output=True, text=True, timeout=timeout, cwd=cwd
    )


class Service:
    """A running `assay serve`; use as a context manager."""

    def __init__(self, *arguments, data_dir=None, env=None, listen="127.0.0.1:0"):
        command = [PROGRAM, "serve", "--listen", listen, "--admin", "127.0.0.1:0"]
        if data_dir:
            command += ["--data-dir", data_dir]
        self.log = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(
            [*command, *arguments], env=clean_environment(EXEMPT if env is None else env),
            stdout=subprocess.PIPE, stderr=self.log, text=True,
        )
        self.lines = []
        self._listening = threading.Event()
        self._reader = threading.Thread(target=self._read_stdout, daemon=True)
        self._reader.start()
        if not self._listening.wait(START_TIMEOUT_S) or not self.lines_match():
            self.kill()
            raise AssertionError(f"no listening line; stdout {self.lines}, log:\n{self.log_text()}")
        self.origin = self.lines_match()
        host, port = self.origin.removeprefix("http://").rsplit(":", 1)
        self.address = (host.strip("[]"), int(port))

    def _read_stdout(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if self.lines_match():
                self._listening.set()
        self._listening.set()

    def lines_match(self):
        for line in self.lines:
            if match := re.fullmatch(r"listening on (http://\S+:\d+)", line):
                return match[1]
        return None

    def admin_url(self):
        """Where the Prometheus page is."""
        end = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < end:
            for line in list(self.lines):
                if match := re.fullmatch(r"metrics on (http://\S+)", line):
                    return match[1]
            time.sleep(0.01)
        raise AssertionError(f"no metrics line; stdout {self.lines}")

    def log_text(self):
        if not self.log.closed:
            self.log.seek(0)
            self._log_text = self.log.read()
        return self._log_text

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        """Ends it at once, as a power cut would."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._reader.join()
        self.process.stdout.close()
        self.log_text()
        self.log.close()

    def stop(self, timeout=STOP_TIMEOUT_S):
        """SIGTERM; returns the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout)

    def fetch(self, target, method="GET", headers=None, body=None):
        """Returns (status, headers, body bytes); headers are case-insensitive."""
        data = json.dumps(body).encode() if isinstance(body, (dict, list)) else body
        headers = dict(headers or {})
        if isinstance(body, (dict, list)):
            headers.setdefault("Content-Type", "application/json")
        ask = urllib.request.Request(self.origin + target, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(ask, timeout=30) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()

    def get(self, target, **options):
        """Returns (status, parsed body)."""
        status, _, body = self.fetch(target, **options)
        return status, json.loads(body)

    def must_get(self, target):
        """The parsed body of an answer that has to be a 200."""
        status, body = self.get(target)
        if status != 200:
            raise AssertionError(f"{target} -> {status} {str(body)[:500]}\n{self.log_text()}")
        return body


def issue_key(service, data_dir, name="partner"):
    """Issues a key while the service runs; it is good when this returns."""
    issued = run("keys", "issue", "--name", name, "--output", "json", "--data-dir", data_dir)
    if issued.returncode != 0:
        raise AssertionError(issued)
    key = json.loads(issued.stdout)["key"]
    end = time.monotonic() + KEY_TIMEOUT_S
    while service.fetch("/v1/partner/history", headers={"x-api-key": key})[0] == 401:
        if time.monotonic() > end:
            raise AssertionError(f"the key is not good {KEY_TIMEOUT_S} s after it was issued")
    return key


class ServiceTest(unittest.TestCase):
    """One service for all cases of a class."""

    arguments = ()
    env = EXEMPT

    @classmethod
    def setUpClass(cls):
        cls.service = Service(*cls.arguments, env=cls.env)

    @classmethod
    def tearDownClass(cls):
        code = cls.service.stop()
        log = cls.service.log_text()
        cls.service.kill()
        if code != 0:
            raise AssertionError(f"the service ended with {code}\n{log}")


class TemporaryDirectory(unittest.TestCase):
    """A directory of its own for every case."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="assay-process-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.directory, name)
