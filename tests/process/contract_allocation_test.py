"""/portfolio and /basket against the contract: caps, sums and aggregates recomputed from the answers
and from the published scores alone."""

import json
import math
import unittest
from decimal import Decimal

from assay_process import EXEMPT, Service, ServiceTest

NOWHERE = "0x00000000000000000000000000000000000000aa"
# per vault, protocol, chain, minimum composite
POLICY = {"conservative": (0.20, 0.35, 0.60, 60), "balanced": (0.30, 0.45, 0.75, 45), "aggressive": (0.35, 0.60, 0.90, 0)}
EPS = 1e-9


class Portfolio(ServiceTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.scores = {row["vaultId"]: row for row in cls.service.must_get("/v1/scores")["data"]}
        cls.compact = {row["vaultId"]: row for row in cls.service.must_get("/v1/scores?fields=compact")["data"]}

    def ask(self, query, status=200):
        got, headers, body = self.service.fetch("/v1/portfolio?" + query)
        self.assertEqual(got, status, (query, body[:500]))
        self.assertEqual(headers["Cache-Control"], "no-store")
        return json.loads(body)

    def test_every_tier_timeline_and_principal_obeys_the_policy(self):
        for tier in POLICY:
            for timeline in ("short", "medium", "long"):
                for principal in (100, 10_000, 1_000_000, 777.77):
                    with self.subTest(tier=tier, timeline=timeline, principal=principal):
                        body = self.ask(f"riskTier={tier}&timeline={timeline}&principal={principal}")
                        self.assertEqual((body["riskTier"], body["timeline"], body["principal"]), (tier, timeline, principal))
                        # A fifth of USD 100 is below the smallest position.
                        impossible = POLICY[tier][0] * principal < 25
                        self.assertEqual((body["strategy"], body["fallback"]), ("none", False) if impossible else ("MVO", False))
                        self.assert_sums(body)
                        self.assert_caps(body)
                        self.assert_slices(body)

    def assert_sums(self, body):
        dollars = sum(Decimal(str(s["allocationUsd"])) for s in body["allocations"]) + Decimal(str(body["unallocatedUsd"]))
        self.assertEqual(dollars, Decimal(str(body["principal"])))
        fractions = sum(Decimal(str(s["fraction"])) for s in body["allocations"])
        self.assertLessEqual(fractions, 1)
        cash = Decimal(str(body["unallocatedUsd"])) / Decimal(str(body["principal"]))
        self.assertLess(abs(1 - fractions - cash), Decimal("0.0011"))
        self.assertEqual("note" in body, body["unallocatedUsd"] > 0, body.get("note"))
        self.assertEqual(body["expectedApy"] is None, not body["allocations"])
        if body["allocations"]:
            highest = max(s["apy"] for s in body["allocations"])
            self.assertTrue(0 < body["expectedApy"] <= highest, body["expectedApy"])

    def assert_caps(self, body):
        vault_cap, protocol_cap, chain_cap, least = POLICY[body["riskTier"]]
        shares = {"protocol": {}, "chain": {}}
        for s in body["allocations"]:
            row = self.scores[s["vaultId"]]
            self.assertLessEqual(s["fraction"], vault_cap + EPS)
            self.assertLessEqual(s["fraction"] * body["principal"], 0.05 * s["tvl"] + EPS)
            self.assertGreaterEqual(s["composite"], least)
            self.assertGreaterEqual(s["allocationUsd"], 25)
            self.assertEqual((s["composite"], s["apy"], s["tvl"], s["asset"], s["chainId"]), (row["composite"], row["apy"], row["tvl"], row["asset"], row["chainId"]))
            self.assertNotEqual(row["dataQuality"], "fallback")
            self.assertTrue(self.compact[s["vaultId"]]["routable"])
            self.assertGreater(s["apy"], 0)
            for kind, key in (("protocol", row["protocolId"]), ("chain", row["chainId"])):
                shares[kind][key] = shares[kind].get(key, 0) + s["fraction"]
        self.assertLessEqual(len(body["allocations"]), 12)
        self.assertEqual(len({s["vaultId"] for s in body["allocations"]}), len(body["allocations"]))
        for kind, cap in (("protocol", protocol_cap), ("chain", chain_cap)):
            for key, share in shares[kind].items():
                self.assertLessEqual(share, cap + EPS, (kind, key))

    def assert_slices(self, body):
        for s in body["allocations"]:
            row = self.scores[s["vaultId"]]
            self.assertEqual(s["fraction"], round(s["fraction"], 4))
            self.assertAlmostEqual(s["allocationPct"], s["fraction"] * 100, places=6)
            self.assertLessEqual(abs(s["allocationUsd"] - s["fraction"] * body["principal"]), 0.02)
            self.assertEqual(s["allocationUsd"], round(s["allocationUsd"], 2))
            self.assertEqual(s["vaultAddress"], row["onchainId"])
            self.assertTrue(s["underlyingToken"] and s["protocol"] and s["name"])

    def test_the_same_question_has_the_same_bytes(self):
        for query in ("riskTier=balanced&principal=12345.67", "riskTier=aggressive&principal=1e5&timeline=long&explain=true"):
            answers = {self.service.fetch("/v1/portfolio?" + query)[2] for _ in range(5)}
            self.assertEqual(len(answers), 1)
        spelled = [self.ask("riskTier=balanced&principal=" + p) for p in ("1000", "1e3", "1000.0")]
        self.assertEqual(spelled[0], spelled[1])
        self.assertEqual(spelled[0], spelled[2])
        self.assertEqual(self.ask("riskTier=balanced&principal=1000&timeline=medium"), spelled[0])

    def test_more_appetite_is_more_risk_and_more_return(self):
        risk = {}
        for tier in POLICY:
            for timeline in ("short", "medium", "long"):
                risk[tier, timeline] = self.ask(f"riskTier={tier}&timeline={timeline}&principal=10000&explain=true")["explain"]["modelledRisk"]
        for timeline in ("short", "medium", "long"):
            self.assertLessEqual(risk["conservative", timeline], risk["balanced", timeline] + 1e-6)
            self.assertLessEqual(risk["balanced", timeline], risk["aggressive", timeline] + 1e-6)
        for tier in POLICY:
            self.assertLessEqual(risk[tier, "short"], risk[tier, "medium"] + 1e-6)
            self.assertLessEqual(risk[tier, "medium"], risk[tier, "long"] + 1e-6)

    def test_explain_is_there_when_it_is_asked_for(self):
        plain = self.ask("riskTier=balanced&principal=10000")
        explained = self.ask("riskTier=balanced&principal=10000&explain=true")
        explain = explained.pop("explain")
        self.assertNotIn("explain", plain)
        self.assertEqual({**plain, "generatedAt": 0}, {**explained, "generatedAt": 0})
        self.assertTrue(explain["binding"])
        self.assertTrue(0 <= explain["relativeGap"] <= 1e-9)
        self.assertTrue(explain["leftOut"])

    def test_wrong_parameters(self):
        for query, fields in (
            ("", {"riskTier", "principal"}), ("riskTier=balanced", {"principal"}), ("principal=1000", {"riskTier"}), ("riskTier=Balanced&principal=1000", {"riskTier"}),
            ("riskTier=balanced&principal=99.99", {"principal"}), ("riskTier=balanced&principal=1000000.01", {"principal"}), ("riskTier=balanced&principal=+100", {"principal"}),
            ("riskTier=x&principal=x&timeline=x", {"riskTier", "principal", "timeline"}), ("riskTier=balanced&principal=1000&timeline=", {"timeline"}),
            ("riskTier=balanced&riskTier=balanced&principal=1000", {"riskTier"}), ("riskTier=balanced&principal=1000&explain=yes", {"explain"}),
        ):
            with self.subTest(query):
                body = self.ask(query, 400)
                self.assertEqual(body["error"], "Validation error")
                self.assertEqual(set(body["details"]["fieldErrors"]), fields)
        for principal in ("100", "1000000", "1e6", "1e2"):
            self.ask("riskTier=balanced&principal=" + principal)
        self.ask("riskTier=balanced&principal=1000&colour=blue")


class Basket(ServiceTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.rows = [row for row in cls.service.must_get("/v1/scores")["data"] if row["onchainId"]]

    def post(self, body, status=200, headers=None):
        got, _, answer = self.service.fetch("/v1/basket", "POST", {"Content-Type": "application/json", **(headers or {})}, body if isinstance(body, bytes) else json.dumps(body).encode())
        answer = json.loads(answer)
        self.assertEqual(got, status, (str(body)[:300], answer))
        self.assertIs(answer["success"], status == 200)
        return answer

    def position(self, row, weight=None, address=None):
        item = {"chainId": row["chainId"], "address": address or row["onchainId"]}
        return item if weight is None else {**item, "weight": weight}

    def test_the_aggregate_is_the_weighted_mean_of_what_is_scored(self):
        picked = self.rows[::41][:20]
        for scale in (1, 100, 1e-3, 12345.678):
            weights = [(i % 7 + 1) * scale for i in range(len(picked))]
            answer = self.post({"positions": [self.position(row, w) for row, w in zip(picked, weights)] + [{"chainId": 1, "address": NOWHERE, "weight": 10 * scale}]})
            basket, positions = answer["basket"], answer["positions"]
            total = sum(weights) + 10 * scale
            scored = sum(weights)
            self.assertEqual((basket["positions"], basket["scoredPositions"], len(positions)), (len(picked) + 1, len(picked), len(picked) + 1))
            self.assertAlmostEqual(basket["scoredWeight"], scored / total, places=9)
            self.assertAlmostEqual(basket["maxWeight"], 10 * scale / total, places=9)
            mean = lambda value: sum(w * value(row) for row, w in zip(picked, weights)) / scored
            self.assertAlmostEqual(basket["composite"], mean(lambda r: r["composite"]), delta=6e-4)
            for pillar in ("yield", "safety", "liquidity", "sustainability"):
                self.assertAlmostEqual(basket["pillarScores"][pillar], mean(lambda r: r["pillarScores"][pillar]), delta=6e-4)
            expected = "Conservative" if basket["composite"] >= 70 else "Balanced" if basket["composite"] >= 40 else "Aggressive"
            self.assertEqual(basket["label"], expected)
            live = [(row["apy"], w) for row, w in zip(picked, weights) if row["apy"] is not None]
            self.assertAlmostEqual(basket["apy"], sum(a * w for a, w in live) / sum(w for _, w in live), places=6)
            self.assertAlmostEqual(sum(basket["chainShare"].values()), 1, places=9)
            self.assertAlmostEqual(sum(basket["protocolShare"].values()), 1, places=9)
            self.assertAlmostEqual(basket["protocolShare"]["unscored"], 10 * scale / total, places=9)
            for row, w, item in zip(picked, weights, positions):
                self.assertEqual((item["chainId"], item["address"], item["scored"]), (row["chainId"], row["onchainId"], True))
                self.assertAlmostEqual(item["weight"], w / total, places=9)
                for name in ("vaultId", "protocolId", "name", "asset", "composite", "label", "pillarScores", "apy", "tvl", "dataQuality", "scoredAt"):
                    self.assertEqual(item[name], row[name], name)
            self.assertEqual(set(positions[-1]), {"chainId", "address", "weight", "scored"})

    def test_edges(self):
        nothing = self.post({"positions": [{"chainId": 1, "address": NOWHERE}]})["basket"]
        self.assertEqual((nothing["composite"], nothing["label"], nothing["apy"], nothing["scoredWeight"], nothing["maxWeight"], nothing["protocolShare"]),
                         (None, None, None, 0, 1, {"unscored": 1}))
        self.assertEqual(set(nothing["pillarScores"].values()), {None})
        row = self.rows[0]
        twice = self.post({"positions": [self.position(row), self.position(row, address=row["onchainId"].upper().replace("0X", "0x"))]})
        self.assertEqual((twice["basket"]["positions"], twice["basket"]["scoredPositions"], twice["basket"]["maxWeight"]), (2, 2, 0.5))
        self.assertEqual(twice["positions"][1]["address"], row["onchainId"].upper().replace("0X", "0x"))
        fifty = self.post({"positions": [self.position(r) for r in self.rows[:50]], "note": "unknown members are no error"})
        self.assertTrue(all(math.isclose(p["weight"], 0.02) for p in fifty["positions"]))
        huge = self.post({"positions": [self.position(self.rows[0], 1e308), self.position(self.rows[1], 1e308)]})
        self.assertEqual([p["weight"] for p in huge["positions"]], [0.5, 0.5])
        tiny = self.post({"positions": [self.position(self.rows[0], 5e-324), self.position(self.rows[1], 5e-324)]})
        self.assertEqual([p["weight"] for p in tiny["positions"]], [0.5, 0.5])

    def test_what_is_wrong_is_refused_by_its_path(self):
        good = self.position(self.rows[0], 1)
        for body, fields in (
            ({}, {"positions"}), ({"positions": None}, {"positions"}), ({"positions": []}, {"positions"}), ({"positions": [good] * 51}, {"positions"}),
            ({"positions": [{**good, "weight": 0}]}, {"positions[0].weight"}), ({"positions": [good, {**good, "weight": -1}]}, {"positions[1].weight"}),
            ({"positions": [good, {**good, "weight": "1"}]}, {"positions[1].weight"}), ({"positions": [{"chainId": 1}]}, {"positions[0].address"}),
            ({"positions": [{"address": NOWHERE}]}, {"positions[0].chainId"}), ({"positions": [{"chainId": 1.5, "address": NOWHERE}]}, {"positions[0].chainId"}),
            ({"positions": [{"chainId": "1", "address": 5}]}, {"positions[0].chainId", "positions[0].address"}), ({"positions": [{"chainId": 1, "address": "0x1"}]}, {"positions[0].address"}),
            ({"positions": [good, "x", None]}, {"positions[1]", "positions[2]"}), ({"positions": {"0": good}}, {"positions"}),
        ):
            with self.subTest(body=str(body)[:100]):
                answer = self.post(body, 400)
                self.assertEqual(answer["error"], "Validation error")
                self.assertEqual(set(answer["details"]["fieldErrors"]), fields)
        mixed = self.post({"positions": [good, {"chainId": 1, "address": NOWHERE}]}, 400)
        self.assertTrue(mixed["details"]["fieldErrors"])
        for body in (b"[]", b"null", b"1", b'"x"'):
            answer = self.post(body, 400)
            self.assertNotIn("not valid JSON", json.dumps(answer), body)

    def test_bodies_that_are_no_json(self):
        for body in (b"", b" ", b"{", b"{]", b'{"positions":[}', b"{'positions':[]}", b"nul", b'{"a":1}x', b'{"a":01}', b'{"a":NaN}', b'{"a":"\x01"}', b'{"a":"\xff"}', b'\xef\xbb\xbf{}', b'{"a":"\\ud800"}x'):
            with self.subTest(body):
                answer = self.post(body, 400)
                self.assertRegex(json.dumps(answer), r"not valid JSON at byte \d+")
        self.post(b'{"positions":1,"positions":1}', 400)
        self.post(b"[" * 60_000, 400)
        self.post(b'{"positions":' + b"[" * 20 + b"]" * 20 + b"}", 400)
        self.post(b'{"positions":[' + b" " * 66_000 + b"]}", 413)
        for kind, status in (("text/plain", 415), ("", 415), ("application/x-www-form-urlencoded", 415), ("application/jsonx", 415), ("application/json; charset=utf-8", 400), ("APPLICATION/JSON", 400)):
            with self.subTest(kind):
                self.post(b"{}", status, {"Content-Type": kind})


class Stale(ServiceTest):
    env = {**EXEMPT, "ASSAY_PORTFOLIO_SCORES_AGE_MAX_S": "1"}

    def test_stale_scores_close_the_portfolio_alone(self):
        for _ in range(10_000):
            status, headers, body = self.service.fetch("/v1/portfolio?riskTier=balanced&principal=1000")
            if status == 503:
                break
        self.assertEqual(status, 503)
        body = json.loads(body)
        self.assertEqual((body["success"], body["error"]), (False, "Scoring data is stale"))
        self.assertGreaterEqual(int(headers["Retry-After"]), 30)
        self.assertEqual(self.service.get("/v1/scores?limit=1")[0], 200)
        self.assertEqual(self.service.get("/v1/catalog")[0], 200)
        self.assertEqual(self.service.fetch("/v1/portfolio?riskTier=balanced")[0], 400)


class StaleFlag(unittest.TestCase):
    def test_an_old_score_is_flagged_and_left_out(self):
        with Service(env={**EXEMPT, "ASSAY_SCORING_STALE_AFTER_S": "1", "ASSAY_CATALOG_REFRESH_CADENCE_S": "1"}) as service:
            for _ in range(10_000):
                rows = service.get("/v1/scores?fields=compact&limit=5")[1]["data"]
                if all("stale_score" in row["flags"] for row in rows):
                    break
            self.assertTrue(all("stale_score" in row["flags"] for row in rows), rows[0])
            self.assertEqual(service.stop(), 0)


if __name__ == "__main__":
    unittest.main()
