"""Two processes on one Redis: they share every bucket exactly, and the loss of Redis costs nobody
an error and lets nobody through without a limit."""

import collections
import os
import shutil
import subprocess
import tempfile
import threading
import time
import unittest

from assay_process import Service, run

LIMIT = 60
KEY_LIMIT = 100
TARGET = "/v1/gas"


class Redis:
    """A private redis-server on a Unix socket."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="assay-redis-")
        self.socket = os.path.join(self.directory, "redis.sock")
        self.url = "unix://" + self.socket
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.socket, "--save", "", "--dir", self.directory],
            stdout=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            pinged = subprocess.run(["redis-cli", "-s", self.socket, "ping"], capture_output=True, text=True)
            if pinged.stdout.strip() == "PONG":
                return
        raise AssertionError("redis-server did not start")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.kill()
        shutil.rmtree(self.directory, ignore_errors=True)


class SharedLimits(unittest.TestCase):
    def setUp(self):
        self.redis = Redis()
        self.addCleanup(self.redis.close)
        self.services = []
        for _ in range(2):
            service = Service("--redis", self.redis.url, env={})
            self.addCleanup(service.kill)
            self.services.append(service)

    def ask(self, requests, headers=None):
        """Sends them all at once, to both in turn; returns how often each status came."""
        statuses = collections.Counter()
        lock = threading.Lock()

        def one(service):
            status, _, _ = service.fetch(TARGET, headers=headers)
            with lock:
                statuses[status] += 1

        threads = [threading.Thread(target=one, args=(self.services[i % 2],)) for i in range(requests)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return dict(statuses)

    def issue(self):
        issued = run("keys", "issue", "--name", "acme", "--redis", self.redis.url, "--output", "json")
        self.assertEqual(issued.returncode, 0, issued)
        return {"x-api-key": issued.stdout.split('"')[3]}

    def limit_seen(self, headers):
        return int(self.services[0].fetch(TARGET, headers=headers)[1]["RateLimit-Limit"])

    def wait_for_limit(self, headers, limit):
        deadline = time.monotonic() + 10
        while self.limit_seen(headers) != limit and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertEqual(self.limit_seen(headers), limit)

    def test_exactly_the_limit_passes_of_200_parallel_requests(self):
        self.assertEqual(self.ask(200), {200: LIMIT, 429: 200 - LIMIT})

    def test_a_key_has_a_bucket_of_its_own_and_takes_effect_while_they_run(self):
        key = self.issue()
        self.wait_for_limit(key, KEY_LIMIT)
        self.assertEqual(self.ask(1, key), {200: 1})
        retired = run("keys", "retire", "--name", "acme", "--redis", self.redis.url)
        self.assertEqual(retired.returncode, 0, retired)
        self.wait_for_limit(key, LIMIT)

    def test_without_redis_each_process_holds_the_limit_alone(self):
        self.redis.kill()
        statuses = self.ask(300)
        self.assertEqual(statuses, {200: 2 * LIMIT, 429: 300 - 2 * LIMIT})

    def test_the_buckets_are_shared_again_after_redis_came_back(self):
        self.redis.kill()
        self.assertEqual(self.ask(6), {200: 6})
        self.redis.start()
        deadline = time.monotonic() + 2
        while any("limits" in service.get("/health/ready")[1]["problems"] for service in self.services):
            self.assertLess(time.monotonic(), deadline, "not shared again within two seconds")
        statuses = self.ask(200)
        self.assertEqual(set(statuses), {200, 429})
        self.assertLessEqual(statuses[200], LIMIT)
        self.assertGreaterEqual(statuses[200], LIMIT - 6)


if __name__ == "__main__":
    unittest.main()
