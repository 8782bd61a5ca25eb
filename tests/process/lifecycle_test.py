"""The process from its start to its end: what it prints, what it locks, how it stops under load,
what survives kill -9."""

import contextlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import threading
import time
import unittest
import urllib.request

from assay_process import EXEMPT, PROGRAM, Service, TemporaryDirectory, clean_environment, issue_key, run
from raw_http import Connection, Malformed, request

DRAIN_LIMIT_S = 5


class Starting(TemporaryDirectory):
    def test_it_prints_where_it_listens_and_is_ready_then(self):
        with Service() as service:
            self.assertNotEqual(service.address[1], 0)
            status, body = service.get("/health/ready")
            self.assertEqual((status, body["success"], body["dataset"]), (200, True, "sample"))
            self.assertEqual(service.get("/v1/scores?limit=1")[0], 200)
            self.assertEqual(service.stop(), 0, service.log_text())

    def test_two_processes_live_side_by_side(self):
        with Service(data_dir=self.path("a")) as one, Service(data_dir=self.path("b")) as other:
            self.assertNotEqual(one.address, other.address)
            for service in (one, other):
                self.assertEqual(service.get("/v1/scores?limit=1")[0], 200)
            self.assertEqual((one.stop(), other.stop()), (0, 0))

    def test_a_data_directory_has_one_owner(self):
        with Service(data_dir=self.path("data")) as owner:
            second = run("serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--data-dir", self.path("data"))
            self.assertEqual(second.returncode, 2, second)
            self.assert_one_clear_line(second.stderr, self.path("data"))
            self.assertEqual(owner.get("/v1/scores?limit=1")[0], 200)
            self.assertEqual(owner.stop(), 0)

    def test_an_address_in_use_is_a_clear_error(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            listen = "127.0.0.1:%d" % taken.getsockname()[1]
            ended = run("serve", "--listen", listen, "--admin", "127.0.0.1:0")
            self.assertEqual(ended.returncode, 2, ended)
            self.assert_one_clear_line(ended.stderr, listen)

    def test_a_data_directory_that_cannot_be_is_a_clear_error(self):
        with open(self.path("file"), "w", encoding="utf-8") as file:
            file.write("in the way")
        ended = run("serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--data-dir", self.path("file"))
        self.assertEqual(ended.returncode, 2, ended)
        self.assert_one_clear_line(ended.stderr, self.path("file"))

    def test_metrics_are_on_the_admin_address_alone(self):
        with Service() as service:
            self.assertEqual(service.get("/metrics")[0], 404)
            with urllib.request.urlopen(service.admin_url(), timeout=10) as page:
                # The connection before may be on its way out still.
                self.assertRegex(page.read(), rb"\nassay_http_connections_open [01]\n")
                self.assertTrue(page.headers["X-Service-Disclaimer"])
                self.assertTrue(page.headers["X-Request-Id"])
            self.assertEqual(service.stop(), 0)

    def test_ipv6_is_served(self):
        with Service(listen="[::1]:0") as service:
            self.assertIn("http://[::1]:", service.origin)
            self.assertEqual(service.get("/v1/scores?limit=1")[0], 200)
            self.assertEqual(service.stop(), 0)

    def assert_one_clear_line(self, text, place):
        lines = [line for line in text.splitlines() if line.strip()]
        self.assertTrue(any(place in line for line in lines), text)
        self.assertLessEqual(len(lines), 2, text)
        self.assertNotIn("terminate called", text)


class Clients(threading.Thread):
    """A client that asks at a steady pace until the service closes, and notes what it got."""

    def __init__(self, address, pace_s):
        super().__init__()
        self.address = address
        self.pace_s = pace_s
        self.stopping = threading.Event()
        self.answered = 0
        self.problems = []

    def run(self):
        due = time.monotonic()
        while not self.stopping.is_set():
            try:
                connection = Connection(self.address)
            except OSError:
                return  # nothing listens any more: no request was started
            with connection:
                while not self.stopping.is_set():
                    due += self.pace_s
                    self.stopping.wait(max(0, due - time.monotonic()))
                    if not self.ask(connection):
                        break

    def ask(self, connection):
        """False when the connection is over."""
        try:
            connection.send(request("/v1/scores?limit=20&fields=compact"))
            response = connection.response()
        except (Malformed, TimeoutError) as problem:
            self.problems.append(repr(problem))
            return False
        if response is None:
            # A close before any octet of an answer: the request crossed it on the way, as RFC 9112,
            # 9.3.1 allows on a kept connection. A reset of a started answer is caught above.
            return False
        if response.status not in (200, 503) or json.loads(response.body)["success"] != (response.status == 200):
            self.problems.append(repr(response))
        self.answered += 1
        return response.header("connection") != "close"


class Stopping(TemporaryDirectory):
    def test_a_stop_under_load_finishes_what_was_started(self):
        with Service() as service:
            clients = [Clients(service.address, pace_s=0.04) for _ in range(20)]
            for client in clients:
                client.start()
            deadline = time.monotonic() + 30
            while sum(client.answered for client in clients) < 1000 and time.monotonic() < deadline:
                time.sleep(0.01)
            begin = time.monotonic()
            code = service.stop()
            took = time.monotonic() - begin
            for client in clients:
                client.stopping.set()
            for client in clients:
                client.join()
            self.assertGreaterEqual(sum(client.answered for client in clients), 1000)
            self.assertEqual([p for client in clients for p in client.problems], [])
            self.assertEqual(code, 0, service.log_text())
            self.assertLess(took, DRAIN_LIMIT_S)

    def test_a_request_in_flight_at_the_stop_is_answered(self):
        with Service() as service, Connection(service.address) as connection:
            body = b'{"positions":[{"chainId":1,"address":"0x00000000000000000000000000000000000000ab"}]}'
            raw = request("/v1/basket", "POST", [("Content-Type", "application/json"), ("Content-Length", str(len(body))), ("Expect", "100-continue")])
            connection.send(raw)
            self.assertEqual(connection.response().status, 100)
            service.process.send_signal(signal.SIGTERM)
            self.wait_until_closed_to_others(service)
            connection.send(body)
            response = connection.response()
            self.assertEqual((response.status, response.header("connection")), (200, "close"))
            self.assertTrue(connection.at_end())
            self.assertEqual(service.process.wait(DRAIN_LIMIT_S), 0)

    def test_a_second_signal_forces_the_end(self):
        with Service() as service, Connection(service.address) as connection:
            connection.send(b"POST /v1/basket HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n")
            self.assertEqual(connection.response().status, 100)
            service.process.send_signal(signal.SIGTERM)
            self.wait_until_closed_to_others(service)
            self.assertIsNone(service.process.poll(), "it did not wait for the started request")
            begin = time.monotonic()
            service.process.send_signal(signal.SIGTERM)
            service.process.wait(DRAIN_LIMIT_S)
            self.assertLess(time.monotonic() - begin, 1)

    def test_sigint_stops_it_as_well(self):
        with Service() as service:
            service.process.send_signal(signal.SIGINT)
            self.assertEqual(service.process.wait(DRAIN_LIMIT_S), 0, service.log_text())

    def wait_until_closed_to_others(self, service):
        deadline = time.monotonic() + DRAIN_LIMIT_S
        while time.monotonic() < deadline:
            try:
                with Connection(service.address) as probe:
                    probe.send(request("/health/ready"))
                    # 503 is not yet the end: it says so before it stops accepting.
                    if probe.response() is None:
                        return
            except OSError:
                return
            except Malformed:
                return
        self.fail("it still takes requests after SIGTERM")


class Surviving(TemporaryDirectory):
    def test_kill_9_and_a_restart_keep_scores_keys_and_history(self):
        data = self.path("data")
        with Service(data_dir=data) as service:
            key = issue_key(service, data)
            before = service.get("/v1/scores")[1]["data"]
            vault = before[0]["vaultId"]
            history = self.history(service, key, vault)
            self.assertGreaterEqual(len(history), 1)
            service.kill()
        with Service(data_dir=data) as service:
            again = self.history(service, key, vault)
            self.assertEqual(again[:len(history)] if again[0] == history[0] else again[-len(history):], history)
            after = {row["vaultId"]: row for row in service.get("/v1/scores")[1]["data"]}
            self.assertEqual(set(after), {row["vaultId"] for row in before})
            self.assertEqual(service.stop(), 0)

    def test_kill_9_while_it_scores_never_leaves_a_broken_archive(self):
        data = self.path("data")
        scoring = {**EXEMPT, "ASSAY_SCORING_CADENCE_S": "1"}
        for _ in range(4):
            with Service(data_dir=data, env=scoring) as service:
                runs = self.rows_of(data)
                deadline = time.monotonic() + 30
                while self.rows_of(data) == runs and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertGreater(self.rows_of(data), runs, "no scoring run was committed")
                service.kill()
        with Service(data_dir=data) as service:
            self.assertEqual(service.get("/v1/scores?limit=1")[0], 200)
            self.assertEqual(service.stop(), 0)
        checked = run("verify", "--data-dir", data, timeout=120)
        self.assertEqual(checked.returncode, 0, checked.stdout[-2000:] + checked.stderr[-2000:])

    def history(self, service, key, vault):
        status, body = service.get(f"/v1/partner/history?vaultId={vault}&limit=1000", headers={"x-api-key": key})
        self.assertEqual(status, 200, body)
        return body["data"]

    def rows_of(self, data):
        """Score rows that are committed, counted as an outside reader."""
        reader = sqlite3.connect(f"file:{os.path.join(data, 'archive.sqlite')}?mode=ro", uri=True)
        with contextlib.closing(reader):
            return reader.execute("SELECT count(*) FROM score_rows").fetchone()[0]


class Arguments(unittest.TestCase):
    def test_help_names_every_command(self):
        for arguments in (("--help",), ("-h",)):
            shown = run(*arguments)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            for command in ("serve", "keys", "solve", "generate", "verify", "rescore", "import", "backtest"):
                self.assertIn(command, shown.stdout)
        for option in ("--listen", "--data-dir", "--config", "--universe", "--admin", "--redis"):
            self.assertIn(option, run("serve", "--help").stdout)

    def test_what_it_does_not_know_is_named_and_ends_with_2(self):
        for arguments in (("frobnicate",), ("serve", "--colour", "blue"), ("keys", "frobnicate"), ("--frobnicate",), ("serve", "--listen")):
            with self.subTest(arguments):
                ended = run(*arguments)
                self.assertEqual(ended.returncode, 2, ended)
                self.assertIn(arguments[-1] if arguments[-1] != "blue" else "--colour", ended.stderr)
                self.assertEqual(ended.stdout, "")

    def test_no_command_is_an_error_that_shows_the_way(self):
        ended = run()
        self.assertEqual(ended.returncode, 2, ended)
        self.assertIn("serve", ended.stdout + ended.stderr)

    def test_output_to_a_closed_pipe_is_no_crash(self):
        shell = subprocess.run(["bash", "-o", "pipefail", "-c", f"{PROGRAM} --help | head -c 1"], env=clean_environment(), capture_output=True, timeout=30, check=False)
        self.assertNotIn(shell.returncode - 128, (signal.SIGSEGV, signal.SIGABRT))


if __name__ == "__main__":
    unittest.main()
