"""Routes, costs, gas, metrics, keys and limits against the contract; figures are recomputed from
what the service publishes."""

import datetime
import json
import unittest

from assay_process import EXEMPT, ServiceTest, run

SOLANA = 792703809
NOWHERE = "0x00000000000000000000000000000000000000aa"
BLOCKING = ("DANGEROUS", "UNPRICEABLE", "NO_ROUTE")
MEASUREMENTS = ("verdict", "reasonClass", "usdIn", "usdOut", "retained", "path", "checkedAt", "cost")


class Routes(ServiceTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rows = cls.service.must_get("/v1/scores")["data"]
        cls.example = [row for row in rows if row["protocolId"].startswith("example-")]
        cls.real = [row for row in rows if not row["protocolId"].startswith("example-") and row["chainId"] != SOLANA]
        cls.solana = [row for row in rows if row["chainId"] == SOLANA]
        cls.gas = {g["chainId"]: g for g in cls.service.must_get("/v1/gas")["data"]}

    def route(self, row, size=None):
        chain, address = row["vaultId"].split(":")[1:]
        status, body = self.service.get(f"/v1/vaults/{chain}/{row['onchainId'] or address}/route" + (f"?sizeUsd={size}" if size else ""))
        self.assertEqual((status, body["success"]), (200, True))
        return body["data"]

    def measured(self):
        return [(row, data) for row in self.example if (data := self.route(row))["screened"] and data["tracked"]]

    def test_the_sample_shows_every_verdict_and_reason(self):
        seen = [data for _, data in self.measured()]
        self.assertEqual({data["verdict"] for data in seen}, {"OK", "DEGRADED", "DANGEROUS", "UNPRICEABLE", "NO_ROUTE", "SKIPPED"})
        self.assertEqual({data["reasonClass"] for data in seen}, {None, "protocol_refused", "no_aggregator_quote", "dust", "no_amount", "rate_limited", "unmapped"})

    def test_verdicts_follow_their_measurement(self):
        for row, data in self.measured():
            with self.subTest(row["vaultId"]):
                self.assertEqual((data["vaultId"], data["chainId"]), (row["vaultId"], row["chainId"]))
                self.assertNotIn("address", data)
                self.assertNotIn("note", data)
                self.assertIsNotNone(data["checkedAt"])
                if data["verdict"] in ("OK", "DEGRADED"):
                    self.assertIsNone(data["reasonClass"])
                    self.assertGreaterEqual(data["retained"], 0.97 if data["verdict"] == "OK" else 0.85)
                    if data["verdict"] == "DEGRADED":
                        self.assertLess(data["retained"], 0.97)
                else:
                    self.assertIsNotNone(data["reasonClass"])
                if data["verdict"] == "DANGEROUS":
                    self.assertEqual(data["reasonClass"], "dust")
                    self.assertLess(data["retained"], 0.85)
                if data["retained"] is not None:
                    self.assertAlmostEqual(data["retained"], data["usdOut"] / data["usdIn"], places=9)
                self.assert_probe(data["probe"])

    def assert_probe(self, probe):
        self.assertEqual((probe["scope"], probe["crossChain"]), ("same-chain", "not probed"))
        self.assertTrue(probe["funding"] and probe["legs"])
        self.assertEqual((min(probe["notionalsUsd"]), max(probe["notionalsUsd"])), (100, 5000))
        self.assertTrue(all(isinstance(v, str) for v in probe["router"].values()))

    def test_costs_add_up_at_any_size(self):
        costed = 0
        for row, data in self.measured():
            if data["cost"] is None:
                continue
            costed += 1
            self.assertEqual(data["cost"]["notionalUsd"], 5000)
            for size in (10, 99.99, 100, 250, 2500, 5000, 5000.01, 10_000_000):
                with self.subTest(vault=row["vaultId"], size=size):
                    self.assert_cost(self.route(row, size)["cost"], size, row["chainId"])
        self.assertGreater(costed, 3)

    def assert_cost(self, cost, size, chain):
        self.assertEqual((cost["notionalUsd"], cost["gasBasis"]), (size, "p50_7d"))
        proportional = cost["proportionalBps"]
        self.assertIs(proportional["extrapolated"], size < 100 or size > 5000)
        if proportional["value"] is not None:
            self.assertAlmostEqual(proportional["value"], (proportional["routerFeeBps"] or 0) + (proportional["priceImpactBps"] or 0), places=9)
        units = cost["gasUnits"]
        self.assertEqual(units["total"], (units["swap"] or 0) + units["vaultEntry"] + units["vaultExit"] + units["approvals"])
        if cost["router"] != "lifi":
            self.assertEqual(units["approvals"], 0)
        self.assertIn(units["vaultGasSource"], ("observed", "assumed"))
        regime = self.gas.get(chain)
        prices = {"p50_7d": regime["usdPerMillionGas"]["p50_7d"], "p90_7d": regime["usdPerMillionGas"]["p90_7d"],
                  "current": regime["current"] and regime["current"]["usdPerMillionGas"]} if regime else {}
        for name in ("current", "p50_7d", "p90_7d"):
            fixed, all_in = cost["fixedUsd"][name], cost["allInBps"][name]
            if fixed is not None and prices.get(name) is not None:
                self.assertAlmostEqual(fixed, units["total"] / 1e6 * prices[name], delta=1e-9 + fixed * 1e-9)
            if fixed is not None and proportional["value"] is not None:
                expected = 1e4 * fixed / size + proportional["value"]
                self.assertAlmostEqual(all_in, expected, delta=1e-9 + abs(expected) * 1e-12)
            else:
                self.assertIsNone(all_in)
        known_missing = {"swap_gas", "l1_data_fee"} & set(cost["missing"])
        self.assertEqual(cost["fixedUsd"]["floor"], bool(known_missing))
        self.assertEqual(cost["allInBps"]["floor"], bool(known_missing))
        self.assertEqual("swap_gas" in cost["missing"], units["swap"] is None)
        self.assertEqual("high_variance_gas" in cost["missing"], units["highVariance"])
        self.assertEqual("gas_current" in cost["missing"], cost["fixedUsd"]["current"] is None)

    def test_proportional_cost_is_held_flat_outside_the_probes(self):
        for row, data in self.measured():
            if data["cost"]:
                value = lambda size: self.route(row, size)["cost"]["proportionalBps"]["value"]
                self.assertEqual(value(10), value(100))
                self.assertEqual(value(10_000_000), value(5000))
                if value(100) is not None and value(5000) is not None:
                    self.assertAlmostEqual(value(2550), (value(100) + value(5000)) / 2, places=6)

    def test_the_unscreened_shape(self):
        row = self.real[0]
        for address, chain in ((row["onchainId"], row["chainId"]), (NOWHERE, 1)):
            data = self.service.get(f"/v1/vaults/{chain}/{address}/route")[1]["data"]
            self.assertEqual((data["screened"], data["tracked"], data["vaultId"], data["address"], data["chainId"]), (False, True, None, address, chain))
            self.assertEqual([data[name] for name in MEASUREMENTS], [None] * len(MEASUREMENTS))
            self.assertNotIn("note", data)
            self.assert_probe(data["probe"])

    def test_the_untracked_shape(self):
        row = self.solana[0]
        data = self.route(row)
        self.assertEqual((data["tracked"], data["screened"], data["chainId"]), (False, False, SOLANA))
        self.assertTrue(data["note"])
        self.assertEqual([data[name] for name in MEASUREMENTS], [None] * len(MEASUREMENTS))
        self.assert_probe(data["probe"])

    def test_wrong_parameters(self):
        row = self.example[0]
        for size in ("9.99", "10000000.01", "x", "", "-5", "NaN", "+10", "1e8"):
            status, body = self.service.get(f"/v1/vaults/{row['chainId']}/{row['onchainId']}/route?sizeUsd={size}")
            self.assertEqual((status, set(body["details"]["fieldErrors"])), (400, {"sizeUsd"}), size)
        for size in ("10", "10000000", "1e7", "1e1"):
            self.assertEqual(self.service.get(f"/v1/vaults/{row['chainId']}/{row['onchainId']}/route?sizeUsd={size}")[0], 200)
        for path, fields in (("0/" + NOWHERE, {"chainId"}), ("1/0x12", {"address"}), ("x/y!", {"chainId", "address"}), ("1/" + "a" * 129, {"address"}), ("01/" + NOWHERE, {"chainId"})):
            for leaf in ("route", "metrics", "factors"):
                status, body = self.service.get(f"/v1/vaults/{path}/{leaf}")
                self.assertEqual((status, body["error"], set(body["details"]["fieldErrors"])), (400, "Validation error", fields), path)


class Gas(ServiceTest):
    def test_regimes(self):
        body = self.service.get("/v1/gas")[1]
        self.assertTrue(body["data"])
        for regime in body["data"]:
            self.assertEqual(self.service.get(f"/v1/gas/{regime['chainId']}")[1]["data"], regime)
            low, middle, high = (regime["usdPerMillionGas"][p] for p in ("p10_7d", "p50_7d", "p90_7d"))
            if regime["coverageHours"] < 6:
                self.assertEqual((low, middle, high), (None, None, None))
            else:
                self.assertTrue(0 <= low <= middle <= high, regime)
            if current := regime["current"]:
                at = datetime.datetime.fromisoformat(current["at"].replace("Z", "+00:00"))
                age = datetime.datetime.now(datetime.timezone.utc) - at
                self.assertLess(age, datetime.timedelta(hours=1, minutes=1))
                self.assertEqual(set(current), {"gwei", "nativeUsd", "usdPerMillionGas", "at"})
                self.assertAlmostEqual(current["usdPerMillionGas"], current["gwei"] * 1e-3 * current["nativeUsd"], delta=1e-6 * current["usdPerMillionGas"] + 1e-12)

    def test_errors(self):
        status, body = self.service.get("/v1/gas/987654321")
        self.assertEqual((status, body["error"]), (404, "No gas data for this chain"))
        self.assertEqual(self.service.get("/v1/gas/x")[0], 400)
        self.assertEqual(self.service.get(f"/v1/gas/{SOLANA}")[0], 404)


class Metrics(ServiceTest):
    def test_values_have_reasons_and_nulls_are_explained(self):
        rows = self.service.get("/v1/scores")[1]["data"]
        today = {(datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=m)).date().isoformat() for m in (0, 10)}
        seen = {"yieldQuality": set(), "exitSafety": set()}
        for row in rows[::17] + [r for r in rows if r["protocolId"].startswith("example-")]:
            address = row["onchainId"] or row["vaultId"].split(":")[2]
            status, body = self.service.get(f"/v1/vaults/{row['chainId']}/{address}/metrics")
            if status == 404:
                self.assertEqual(body["error"], "Risk metrics not found for this vault")
                continue
            data = body["data"]
            self.assertEqual((status, data["vaultId"], data["chainId"]), (200, row["vaultId"], row["chainId"]))
            self.assertIn(data["scorerRunDate"], today)
            for name, values in seen.items():
                values.add(data[name] is None)
                self.assertTrue(data[name + "Reason"], data)
                if data[name] is not None:
                    self.assertTrue(0 <= data[name] <= 100)
        self.assertEqual(seen, {"yieldQuality": {True, False}, "exitSafety": {True, False}})

    def test_errors(self):
        self.assertEqual(self.service.get(f"/v1/vaults/1/{NOWHERE}/metrics")[1]["error"], "Risk metrics not found for this vault")


class Keys(ServiceTest):
    def test_partner_endpoints_need_a_key_and_others_ignore_a_bad_one(self):
        for target in ("/v1/partner/factors", "/v1/partner/history?vaultId=x", "/v1/partner/history"):
            for headers in ({}, {"x-api-key": "unknown"}, {"x-api-key": ""}):
                status, body = self.service.get(target, headers=headers)
                self.assertEqual((status, body["success"], body["error"]), (401, False, "Invalid API key"), target)
        self.assertEqual(self.service.get("/v1/scores?limit=1", headers={"x-api-key": "unknown"})[0], 200)


class Limits(ServiceTest):
    env = {"ASSAY_LIMITS_ANONYMOUS_PER_MINUTE": "5"}

    def test_the_limit_holds_and_is_told(self):
        seen = [self.service.fetch("/v1/scores?limit=x" if i % 2 else "/v1/gas") for i in range(7)]
        self.assertEqual([status for status, _, _ in seen], [200, 400, 200, 400, 200, 429, 429])
        self.assertEqual([headers["RateLimit-Remaining"] for _, headers, _ in seen], ["4", "3", "2", "1", "0", "0", "0"])
        for status, headers, body in seen:
            self.assertEqual(headers["RateLimit-Limit"], "5")
            self.assertTrue(1 <= int(headers["RateLimit-Reset"]) <= 60)
            if status == 429:
                self.assertEqual(headers["Retry-After"], headers["RateLimit-Reset"])
                self.assertEqual(json.loads(body)["error"], "Rate limit exceeded")
                self.assertEqual(headers["Access-Control-Allow-Origin"], "*")
        for path in ("/health/live", "/health/ready"):
            self.assertEqual(self.service.fetch(path)[0], 200)
        for other_spelling in ("/v1/nope", "/v%31/gas", "/%76%31/gas", "/%761/scores?limit=1"):
            self.assertEqual(self.service.fetch(other_spelling)[0], 429, other_spelling)
        self.assertEqual(self.service.fetch("/v1/gas", headers={"X-Forwarded-For": "203.0.113.9"})[0], 429)


if __name__ == "__main__":
    unittest.main()
