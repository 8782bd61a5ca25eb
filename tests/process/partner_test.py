"""Partner keys and endpoints: a key counts at once and only as long as it is good, nobody reads it in a
log, and the pages of a history are the history."""

import gzip
import http.client
import json
import random
import time
import unittest

from assay_process import EXEMPT, KEY_TIMEOUT_S, Service, TemporaryDirectory, issue_key, run

ANONYMOUS, PARTNER = "60", "100"
FACTORS = "/v1/partner/factors"


class PartnerKeys(TemporaryDirectory):
    def setUp(self):
        super().setUp()
        self.data = self.path("data")
        self.service = Service(data_dir=self.data, env={**EXEMPT, "ASSAY_LOG_LEVEL": "trace"})
        self.addCleanup(self.service.kill)

    def limit_of(self, *keys):
        """The limit that a public request with these x-api-key fields falls under."""
        connection = http.client.HTTPConnection(*self.service.address, timeout=30)
        self.addCleanup(connection.close)
        connection.putrequest("GET", "/v1/gas")
        for key in keys:
            connection.putheader("x-api-key", key)
        connection.endheaders()
        answer = connection.getresponse()
        answer.read()
        self.assertEqual(answer.status, 200)
        return answer.headers["RateLimit-Limit"]

    def partner_status(self, key):
        return self.service.fetch(FACTORS, headers={"x-api-key": key})[0]

    def test_a_key_counts_while_it_is_good(self):
        key = issue_key(self.service, self.data, "acme")
        other = issue_key(self.service, self.data, "bolt")
        self.assertEqual(self.limit_of(key), PARTNER)
        self.assertEqual(self.partner_status(key), 200)
        for wrong in ((), ("",), (key[:-1],), (key + "a",), (key.upper(),), ("a" * 4000,), (key, key), (key, other)):
            self.assertEqual(self.limit_of(*wrong), ANONYMOUS, wrong)
        self.assertEqual(self.partner_status(key[:-1]), 401)
        retired = run("keys", "retire", "--name", "acme", "--data-dir", self.data)
        self.assertEqual(retired.returncode, 0, retired)
        end = time.monotonic() + KEY_TIMEOUT_S
        while self.partner_status(key) != 401:
            self.assertLess(time.monotonic(), end, "a retired key is still good")
        self.assertEqual(self.limit_of(key), ANONYMOUS)
        self.assertEqual(self.limit_of(other), PARTNER)
        listed = run("keys", "list", "--data-dir", self.data, "--output", "json")
        self.assertEqual([bool(k["retiredAt"]) for k in json.loads(listed.stdout)], [True, False])
        self.assertEqual(self.service.stop(), 0)
        log = self.service.log_text()
        self.assertIn(FACTORS, log, "requests are not logged at this level")
        for secret in (key, other, key.removeprefix("assay_")):
            self.assertNotIn(secret, log + listed.stdout + retired.stdout)

    def test_factors_hold_every_vault_and_come_packed(self):
        headers = {"x-api-key": issue_key(self.service, self.data)}
        status, plain_headers, plain = self.service.fetch(FACTORS, headers=headers)
        self.assertEqual((status, plain_headers["Content-Encoding"]), (200, None))
        status, packed_headers, packed = self.service.fetch(FACTORS, headers={**headers, "Accept-Encoding": "gzip"})
        self.assertEqual((status, packed_headers["Content-Encoding"]), (200, "gzip"))
        self.assertEqual(gzip.decompress(packed), plain)
        answer = json.loads(plain)
        scores = self.service.must_get("/v1/scores")
        self.assertEqual(answer["count"], len(answer["data"]))
        self.assertEqual({row["vaultId"] for row in answer["data"]}, {row["vaultId"] for row in scores["data"]})
        for row in random.Random(1).sample(answer["data"], 20):
            chain, address = row["vaultId"].split(":")[1:]
            alone = self.service.must_get(f"/v1/vaults/{chain}/{address}/factors")
            self.assertEqual(row, alone["data"])


class History(TemporaryDirectory):
    ROWS = 4

    def setUp(self):
        super().setUp()
        data = self.path("data")
        self.service = Service(data_dir=data, env={**EXEMPT, "ASSAY_SCORING_CADENCE_S": "1"})
        self.addCleanup(self.service.kill)
        self.headers = {"x-api-key": issue_key(self.service, data)}
        self.vault = self.service.must_get("/v1/scores?limit=1")["data"][0]["vaultId"]

    def page(self, status=200, **query):
        query = "".join(f"&{name}={value}" for name, value in query.items())
        seen, body = self.service.get(f"/v1/partner/history?vaultId={self.vault}{query}", headers=self.headers)
        self.assertEqual(seen, status, body)
        return body

    def walk(self, limit, pause=0.0, **query):
        """All rows, page by page."""
        rows, cursor = [], "start"
        while cursor is not None:
            page = self.page(limit=limit, cursor=cursor, **query)
            self.assertEqual(page["count"], len(page["data"]))
            self.assertLessEqual(page["count"], limit)
            if page["nextCursor"] is not None:
                self.assertEqual(page["count"], limit)
            rows += page["data"]
            cursor = page["nextCursor"]
            time.sleep(pause)
        return rows

    def test_the_pages_are_the_history_while_it_grows(self):
        # Each page takes as long as a new row: the walk meets rows that were committed behind its beginning.
        walked = self.walk(1, pause=0.3)
        while len(rows := self.page(limit=1000)["data"]) < self.ROWS:
            walked = self.walk(1, pause=0.3)
        times = [row["scoredAt"] for row in rows]
        self.assertEqual(times, sorted(set(times)), "in order of time, each once")
        self.assertEqual(walked, rows[: len(walked)])
        self.assertGreater(len(walked), 1)
        # Up to an instant nothing changes any more.
        for limit in (1, 2, 3, len(rows) - 1, len(rows), len(rows) + 1, 1000):
            self.assertEqual(self.walk(limit, to=times[-1]), rows, limit)
        for first in range(len(rows)):
            for last in range(first, len(rows)):
                within = rows[first : last + 1]
                self.assertEqual(self.walk(2, **{"from": times[first], "to": times[last]}), within)
        self.assertEqual(self.page(limit=1, to=times[0])["nextCursor"], None)
        self.assertEqual(self.page(**{"from": "2100-01-01T00:00:00Z"})["data"], [])

    def test_what_is_refused(self):
        for wrong in (
            {"limit": 0}, {"limit": 1001}, {"limit": -1}, {"limit": "1.5"}, {"limit": ""}, {"cursor": ""},
            {"cursor": "nonsense"}, {"from": "yesterday"}, {"from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"},
        ):
            self.assertEqual(self.page(status=400, **wrong)["error"], "Validation error", wrong)


if __name__ == "__main__":
    unittest.main()
