"""/scores, /catalog and /factors against the contract, clause by clause: every answer is recomputed
here from the whole list that the service publishes."""

import json
import statistics
import unittest
from urllib.parse import quote

from assay_process import ServiceTest

SOLANA = 792703809
SAFETY_REASONS = {"noDepositRoute", "noLiveEntry", "fallbackData"}
PILLARS = {
    "yield": ["YIELD_LEVEL", "APY_STABILITY", "APY_PERSISTENCE", "YIELD_SOURCE"],
    "safety": ["AUDIT_QUALITY", "PROTOCOL_MATURITY", "TVL_DEPTH_SAFETY", "TVL_STABILITY", "ADMIN_TOPOLOGY", "CHAIN_SECURITY", "EXPLOIT_HISTORY"],
    "liquidity": ["WITHDRAWAL_TYPE", "TVL_DEPTH_LIQUIDITY", "UTILIZATION_HEALTH"],
    "sustainability": ["EMISSION_DEPENDENCY", "ASSET_RISK"],
}
PILLAR_WEIGHTS = {"yield": 0.2, "safety": 0.4, "liquidity": 0.2, "sustainability": 0.2}
FLAG_ORDER = ["thin_tvl", "apy_outlier", "fallback_data", "partial_data", "stale_score"]


class Published(ServiceTest):
    """What the service says without any filter, fetched once."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.full = cls.service.must_get("/v1/scores")
        cls.compact = {row["vaultId"]: row for row in cls.service.must_get("/v1/scores?fields=compact")["data"]}
        cls.rows = cls.full["data"]
        cls.catalog = cls.service.must_get("/v1/catalog")

    def scores(self, query, status=200):
        got, body = self.service.get("/v1/scores?" + query)
        self.assertEqual(got, status, (query, body))
        return body

    def filtered(self, **filters):
        """The rows that pass, in the order of the whole list."""
        return [row for row in self.rows if not self.reasons(row, **filters) and self.is_candidate(row, **filters)]

    def is_candidate(self, row, chainId=None, protocolId=None, address=None, asset=None, **_):
        return (
            chainId in (None, row["chainId"])
            and (protocolId is None or row["protocolId"] == protocolId.lower())
            and (address is None or row["vaultId"].split(":")[2] == address.lower())
            and (asset is None or row["asset"].lower() in [symbol.lower() for symbol in asset.split(",")])
        )

    def reasons(self, row, minScore=None, minTvl=None, minApy=None, routable=None, excludeFallback=None, **_):
        live = row["name"] is not None
        found = {
            "belowMinScore": minScore is not None and row["composite"] < minScore,
            "belowMinTvl": minTvl is not None and (row["tvl"] is None or row["tvl"] < minTvl),
            "belowMinApy": minApy is not None and (row["apy"] is None or row["apy"] < minApy),
            "noDepositRoute": routable is not None and live and not self.compact[row["vaultId"]]["routable"],
            "noLiveEntry": routable is not None and not live,
            "fallbackData": excludeFallback is not None and row["dataQuality"] == "fallback",
        }
        return {name for name, holds in found.items() if holds}


def query_of(filters):
    return "&".join(f"{name}={quote(str(value))}" for name, value in filters.items())


class Rows(Published):
    def test_the_list_is_whole_and_newest_first(self):
        self.assertEqual(self.full["count"], len(self.rows))
        self.assertEqual(self.full["total"], len(self.rows))
        self.assertEqual(self.full["applied"], {})
        self.assertNotIn("ignoredParams", self.full)
        self.assertNotIn("explain", self.full)
        self.assertGreaterEqual(len(self.rows), 400)
        self.assertEqual(len({(row["chainId"], row["vaultId"].split(":")[2]) for row in self.rows}), len(self.rows))
        order = sorted(self.rows, key=lambda row: row["vaultId"])
        order.sort(key=lambda row: row["scoredAt"], reverse=True)
        self.assertEqual([row["vaultId"] for row in self.rows], [row["vaultId"] for row in order])

    def test_identifiers_hold_together(self):
        for row in self.rows:
            protocol, chain, address = row["vaultId"].split(":")
            self.assertEqual((protocol, chain), (row["protocolId"], str(row["chainId"])))
            self.assertEqual(row["vaultId"], row["vaultId"].lower())
            if row["onchainId"] is not None:
                self.assertEqual(row["onchainId"].lower(), address)
            self.assertEqual(row["onchainId"] is None, row["name"] is None)
            self.assertEqual(row["scorerVersion"], self.full["scorerVersion"])
            self.assertRegex(row["scorerVersion"], r"^\d+\.\d+\.\d+\+[0-9a-f]{8}$")
            self.assertRegex(row["scoredAt"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")
        evm = [row["onchainId"] for row in self.rows if row["chainId"] != SOLANA and row["onchainId"]]
        self.assertTrue(all(address.startswith("0x") for address in evm))
        self.assertTrue(any(address != address.lower() for address in evm), "no address in its original case")

    def test_labels_follow_the_composite(self):
        labels = set()
        for row in self.rows:
            expected = "Conservative" if row["composite"] >= 70 else "Balanced" if row["composite"] >= 40 else "Aggressive"
            self.assertEqual(row["label"], expected)
            self.assertEqual(row["composite"], round(row["composite"], 3))
            labels.add(expected)
        self.assertEqual(len(labels), 3, "the sample should show every label")

    def test_solana_and_unscreened_vaults_have_no_admin_record(self):
        solana = [row for row in self.rows if row["chainId"] == SOLANA]
        self.assertTrue(solana)
        self.assertTrue(all(row["adminTopology"] is None for row in solana))
        classes = {row["adminTopology"]["class"] for row in self.rows if row["adminTopology"]}
        self.assertEqual(classes, {"immutable", "timelock_long_multisig_strong", "timelock_short_multisig_weak", "multisig_only", "eoa", "unknown"})
        roles = [role for row in self.rows if row["adminTopology"] for role in row["adminTopology"]["roles"]]
        self.assertTrue(all({"role", "kind", "delaySeconds", "unverifiedGovernance"} <= role.keys() for role in roles))
        kinds = {role["kind"] for role in roles}
        self.assertEqual(kinds, {"none", "eoa", "safe", "dao", "unrecognised"})
        self.assertNotIn("0x", json.dumps(roles))

    def test_the_sample_shows_every_data_quality_and_null(self):
        self.assertEqual({row["dataQuality"] for row in self.rows}, {"sufficient", "partial", "fallback"})
        for name in ("name", "apy", "tvl", "adminTopology", "assetClass"):
            if name != "assetClass":
                self.assertTrue(any(row[name] is None for row in self.rows), name)
            self.assertTrue(any(row[name] is not None for row in self.rows), name)

    def test_rows_are_about_as_long_as_promised(self):
        full = len(json.dumps(self.rows, separators=(",", ":"), ensure_ascii=False).encode()) / len(self.rows)
        compact = len(json.dumps(list(self.compact.values()), separators=(",", ":"), ensure_ascii=False).encode()) / len(self.rows)
        # Most real vaults have no admin record in the sample: a null takes its place.
        self.assertTrue(480 < full < 990, full)
        self.assertTrue(330 < compact < 490, compact)

    def test_both_shapes_say_the_same(self):
        self.assertEqual(set(self.compact), {row["vaultId"] for row in self.rows})
        for row in self.rows:
            short = self.compact[row["vaultId"]]
            for name in ("chainId", "protocolId", "name", "asset", "composite", "label", "apy", "tvl", "dataQuality", "scoredAt"):
                self.assertEqual(short[name], row[name], name)

    def test_flags_are_set_by_their_rules(self):
        seen = set()
        for row in self.compact.values():
            peers = [other["apy"] for other in self.compact.values() if other is not row and other["apy"] is not None and other["name"] is not None
                     and other["chainId"] == row["chainId"] and other["asset"].lower() == row["asset"].lower()]
            outlier = row["apy"] is not None and row["apy"] >= 10 and len(peers) >= 5 and row["apy"] >= 3 * statistics.median(peers)
            expected = [flag for flag, holds in zip(FLAG_ORDER, (
                row["tvl"] is None or row["tvl"] < 2_000_000, outlier, row["dataQuality"] == "fallback", row["dataQuality"] == "partial", False)) if holds]
            self.assertEqual(row["flags"], expected, row)
            seen.update(expected)
        self.assertEqual(seen, set(FLAG_ORDER) - {"stale_score"}, "the sample should show every flag")

    def test_routable_fails_closed(self):
        for row in self.compact.values():
            if row["name"] is None:
                self.assertIs(row["routable"], False)
            if row["protocolId"].startswith("example-") and row["name"] is not None:
                chain, address = row["vaultId"].split(":")[1:]
                verdict = self.service.get(f"/v1/vaults/{chain}/{address}/route")[1]["data"]["verdict"]
                self.assertEqual(row["routable"], verdict not in ("DANGEROUS", "UNPRICEABLE", "NO_ROUTE"), (row["vaultId"], verdict))
        self.assertEqual({row["routable"] for row in self.compact.values()}, {True, False})

    def test_page_urls_lead_to_pages(self):
        for row in list(self.compact.values())[::150]:
            self.assertIn(f"/vaults/{row['chainId']}/", row["pageUrl"])
            path = row["pageUrl"].removeprefix(self.service.origin)
            self.assertTrue(path.startswith("/"), row["pageUrl"])
            status, headers, body = self.service.fetch(path)
            self.assertEqual((status, headers.get_content_type()), (200, "text/html"))
            self.assertTrue(headers["X-Service-Disclaimer"])
            self.assertIn(str(row["name"] or row["vaultId"]).split("&")[0].encode(), body)

    def test_the_catalog_names_the_same_vaults(self):
        rows = {row["vaultId"]: row for row in self.rows}
        self.assertEqual(self.catalog["count"], len(self.catalog["data"]))
        for entry in self.catalog["data"]:
            row = rows[entry["id"]]
            self.assertEqual((entry["name"], entry["apy"], entry["tvl"], entry["asset"], entry["chainId"], entry["protocolId"]),
                             (row["name"], row["apy"], row["tvl"], row["asset"], row["chainId"], row["protocolId"]))
            self.assertTrue(entry["protocol"])
        listed = {entry["id"] for entry in self.catalog["data"]}
        self.assertEqual(listed, {row["vaultId"] for row in self.rows if row["apy"] is not None and row["tvl"] is not None})
        for query, keeps in (("chainId=1", lambda e: e["chainId"] == 1), ("protocolId=" + self.rows[0]["protocolId"].upper(), lambda e: e["protocolId"] == self.rows[0]["protocolId"]), ("chainId=999999", lambda e: False)):
            got = self.service.get("/v1/catalog?" + query)[1]
            self.assertEqual([e["id"] for e in got["data"]], [e["id"] for e in self.catalog["data"] if keeps(e)])
            self.assertEqual(got["count"], len(got["data"]))


class Filters(Published):
    def test_every_filter_keeps_exactly_its_rows(self):
        row = next(r for r in self.rows if r["asset"].isalpha() and r["apy"] and r["onchainId"])
        cases = [
            {"chainId": row["chainId"]}, {"chainId": SOLANA}, {"chainId": 999999}, {"protocolId": row["protocolId"]}, {"protocolId": row["protocolId"].upper()},
            {"protocolId": "no-such"}, {"address": row["onchainId"]}, {"address": row["onchainId"].upper().replace("0X", "0x")}, {"asset": row["asset"]},
            {"asset": row["asset"].swapcase()}, {"asset": row["asset"][:-1]}, {"asset": "USDC,WETH,usdt"}, {"minScore": 0}, {"minScore": 55.5}, {"minScore": 100},
            {"minTvl": 0}, {"minTvl": 2e6}, {"minApy": 0}, {"minApy": 4.25}, {"routable": "true"}, {"excludeFallback": "true"},
            {"minScore": row["composite"]}, {"minTvl": row["tvl"] or 0}, {"minApy": row["apy"]},
            {"chainId": 1, "minScore": 50, "minApy": 1, "minTvl": 1e6, "routable": "true", "excludeFallback": "true"},
        ]
        for filters in cases:
            with self.subTest(filters):
                expected = self.filtered(**filters)
                body = self.scores(query_of(filters))
                self.assertEqual(body["data"], expected)
                self.assertEqual((body["count"], body["total"]), (len(expected),) * 2)
                compact = self.scores(query_of({**filters, "fields": "compact", "limit": 3}))
                self.assertEqual([r["vaultId"] for r in compact["data"]], [r["vaultId"] for r in expected[:3]])
                self.assertEqual((compact["count"], compact["total"]), (min(3, len(expected)), len(expected)))

    def test_sorting_is_descending_with_nulls_last(self):
        for key in ("composite", "apy", "tvl"):
            for limit in (None, 1, 7, 200):
                body = self.scores(f"sort={key}" + (f"&limit={limit}" if limit else ""))
                order = sorted(self.rows, key=lambda r: (r[key] is None, -(r[key] or 0), r["vaultId"]))
                self.assertEqual([r["vaultId"] for r in body["data"]], [r["vaultId"] for r in order[:limit]])

    def test_applied_echoes_what_was_honoured(self):
        body = self.scores("chainId=1&protocolId=AAVE-V3&asset=usdc,WETH&minScore=1e1&minTvl=0&minApy=0.50&routable=true&excludeFallback=true&explain=true&sort=tvl&limit=2&fields=compact")
        applied = body["applied"]
        self.assertEqual({k: v for k, v in applied.items() if k != "protocolId"}, {
            "chainId": 1, "asset": ["usdc", "WETH"], "minScore": 10, "minTvl": 0, "minApy": 0.5, "routable": True, "excludeFallback": True,
            "explain": True, "sort": "tvl", "limit": 2, "fields": "compact"})
        self.assertEqual(applied["protocolId"].lower(), "aave-v3")
        self.assertEqual(self.scores("address=" + self.rows[0]["onchainId"])["applied"]["address"].lower(), self.rows[0]["onchainId"].lower())

    def test_unknown_keys_are_reported_and_change_nothing(self):
        body = self.scores("zeta=1&alpha=&limit=1&Limit=5&alpha=2")
        self.assertEqual(body["ignoredParams"], ["Limit", "alpha", "zeta"])
        self.assertEqual(body["total"], len(self.rows))
        many = self.scores("&".join(f"k{i:02d}=1" for i in range(30)) + "&limit=1")
        self.assertEqual(many["ignoredParams"], [f"k{i:02d}" for i in range(20)])
        long = self.scores("x" * 100 + "=1&limit=1&" + quote("é" * 70) + "=1")
        self.assertEqual(sorted(long["ignoredParams"]), sorted(["x" * 64, "é" * 64]))

    def test_what_is_wrong_is_refused_all_at_once(self):
        body = self.scores("chainId=x&minScore=101&minTvl=-1&minApy=NaN&routable=1&excludeFallback=false&explain=TRUE&sort=name&limit=201&fields=full&address=0x1&asset=" + ",".join("ABCDEFGHIJK") + "&protocolId=a%20b", 400)
        self.assertEqual((body["success"], body["error"]), (False, "Validation error"))
        self.assertEqual(set(body["details"]["fieldErrors"]), {"chainId", "minScore", "minTvl", "minApy", "routable", "excludeFallback", "explain", "sort", "limit", "fields", "address", "asset", "protocolId"})
        self.assertTrue(all(isinstance(m, list) and m and all(isinstance(t, str) for t in m) for m in body["details"]["fieldErrors"].values()))
        self.assertIsInstance(body["details"]["formErrors"], list)

    def test_strict_values(self):
        for value in ("+1", "%201", "1%20", "007", "0x10", "NaN", "Infinity", "-Infinity", "1e400", "1.", ".5", "1,5", "", "1%00", "-0.1", "1e", "--1", "1_0", "%D9%A1"):
            for name in ("minScore", "minTvl", "minApy"):
                with self.subTest(name=name, value=value):
                    self.assertEqual(list(self.scores(f"{name}={value}", 400)["details"]["fieldErrors"]), [name])
        for value in ("0", "-0", "1e1", "1E%2B1", "10.50", "1e-400", "0.0"):
            self.assertIn("minScore", self.scores(f"minScore={value}&limit=1")["applied"])
        for value in ("0", "201", "1.0", "1e1", "-1", "99999999999999999999", "", "1 "):
            self.assertEqual(list(self.scores(f"limit={quote(value)}", 400)["details"]["fieldErrors"]), ["limit"])
        for query in ("limit=1&limit=1", "limit=1&limit=x", "asset=", "asset=,", "asset=USDC,", "asset=" + ",".join(f"A{i}" for i in range(11)), "chainId=0", "chainId=-1", "chainId=1.0"):
            with self.subTest(query):
                self.assertEqual(list(self.scores(query, 400)["details"]["fieldErrors"]), [query.split("=")[0]])
        self.assertEqual(self.scores("asset=" + ",".join(f"A{i}" for i in range(10)))["total"], 0)

    def test_a_trailing_slash_is_no_other_resource(self):
        self.assertEqual(self.service.fetch("/v1/scores/?limit=3")[2], self.service.fetch("/v1/scores?limit=3")[2])


class Explain(Published):
    CASES = (
        {"routable": "true"}, {"minScore": 60, "routable": "true", "excludeFallback": "true"}, {"chainId": 1, "minApy": 5, "minTvl": 1e7},
        {"asset": "USD", "sort": "tvl"}, {"asset": "usdc,eth", "sort": "apy", "limit": 2}, {"minScore": 100, "sort": "composite"}, {"excludeFallback": "true", "minApy": 3, "sort": "apy", "limit": 1},
        {"protocolId": "example-lend", "routable": "true", "minTvl": 5e6}, {},
    )

    def test_every_part_is_recomputed(self):
        for filters in self.CASES:
            with self.subTest(filters):
                body = self.scores(query_of({**filters, "explain": "true"}))
                explain = body["explain"]
                plain = {k: v for k, v in filters.items() if k not in ("sort", "limit")}
                candidates = [row for row in self.rows if self.is_candidate(row, **plain)]
                matched = self.filtered(**plain)
                self.assertEqual((explain["universe"], explain["candidates"], explain["matched"], explain["returned"]),
                                 (len(self.rows), len(candidates), len(matched), body["count"]))
                self.assertIs(explain["truncated"], len(matched) > body["count"])
                self.assertEqual(explain["failed"], self.failed(candidates, plain))
                live = sum(row["name"] is not None for row in self.rows)
                self.assertEqual(explain["liveCatalogEntries"], live)
                self.assert_notable(explain["notable"], candidates, plain, filters.get("sort"))
                self.assert_similar(explain["similarAssets"], plain)

    def failed(self, candidates, plain):
        asked = {"minScore": ["belowMinScore"], "minTvl": ["belowMinTvl"], "minApy": ["belowMinApy"], "routable": ["noDepositRoute", "noLiveEntry"], "excludeFallback": ["fallbackData"]}
        keys = [key for name, keys in asked.items() if name in plain for key in keys]
        return {key: sum(key in self.reasons(row, **plain) for row in candidates) for key in keys}

    def assert_notable(self, notable, candidates, plain, sort):
        dropped = [row for row in candidates if self.reasons(row, **plain)]
        if sort:
            dropped.sort(key=lambda r: (r[sort] is None, -(r[sort] or 0), r["vaultId"]))
        unsafe = [row for row in dropped if self.reasons(row, **plain) & SAFETY_REASONS]
        reserved = [row["vaultId"] for row in unsafe[:2]]
        others = [row["vaultId"] for row in dropped if row["vaultId"] not in reserved]
        chosen = set(reserved + others[:max(0, 5 - len(reserved))])
        self.assertEqual([item["vaultId"] for item in notable], [row["vaultId"] for row in dropped if row["vaultId"] in chosen])
        rows = {row["vaultId"]: row for row in self.rows}
        for item in notable:
            row = rows[item["vaultId"]]
            self.assertEqual(set(item["reasons"]), self.reasons(row, **plain))
            self.assertEqual([item[k] for k in ("name", "composite", "apy", "tvl")], [row[k] for k in ("name", "composite", "apy", "tvl")])

    def assert_similar(self, listed, plain):
        # Symbols are the same in any case, as for the filter itself.
        self.assertEqual({item["asset"].lower(): item["count"] for item in listed}, self.similar(plain))
        self.assertEqual(listed, sorted(listed, key=lambda item: (-item["count"], item["asset"])))

    def similar(self, plain):
        if "asset" not in plain:
            return {}
        symbols = [s.lower() for s in plain["asset"].split(",")]
        rest = {k: v for k, v in plain.items() if k in ("chainId", "protocolId", "address")}
        counts = {}
        for row in self.rows:
            symbol = row["asset"].lower()
            if self.is_candidate(row, **rest) and symbol not in symbols and any(s in symbol for s in symbols):
                counts[symbol] = counts.get(symbol, 0) + 1
        return counts


class Factors(Published):
    def test_the_breakdown_gives_the_row(self):
        for row in self.rows[::7] + [r for r in self.rows if r["protocolId"].startswith("example-")]:
            chain, address = row["vaultId"].split(":")[1:]
            status, body = self.service.get(f"/v1/vaults/{chain}/{row['onchainId'] or address}/factors")
            self.assertEqual(status, 200, body)
            data = body["data"]
            for name in ("vaultId", "chainId", "protocolId", "composite", "label", "pillarScores", "dataQuality", "scoredAt", "scorerVersion"):
                self.assertEqual(data[name], row[name], name)
            self.assertEqual(set(data["factors"]), {f for names in PILLARS.values() for f in names})
            self.assert_composite(data)

    def assert_composite(self, data):
        measured = 0
        composite = 0
        for pillar, names in PILLARS.items():
            factors = {name: data["factors"][name] for name in names}
            self.assertEqual({f["pillar"] for f in factors.values()}, {pillar})
            weight = sum(f["weight"] for f in factors.values())
            if weight:
                mean = sum(f["weight"] * f["score"] for f in factors.values()) / weight
                self.assertAlmostEqual(mean, data["pillarScores"][pillar], delta=0.01, msg=data["vaultId"])
            composite += PILLAR_WEIGHTS[pillar] * data["pillarScores"][pillar]
            measured += sum(f["weight"] > 0 for f in factors.values())
            for name, factor in factors.items():
                self.assertTrue(factor["label"], name)
                if factor["weight"] == 0 and name != "EXPLOIT_HISTORY":
                    self.assertEqual((factor["score"], factor["rawValue"]), (50, 0), (data["vaultId"], name, factor))
        exploits = data["factors"]["EXPLOIT_HISTORY"]
        self.assertEqual(exploits["weight"], 0)
        self.assertAlmostEqual(data["composite"], composite * exploits["score"] / 100, delta=0.01, msg=data["vaultId"])
        if data["dataQuality"] == "sufficient":
            self.assertGreaterEqual(measured, 13)
        if measured < 8:
            self.assertEqual(data["dataQuality"], "fallback")

    def test_errors(self):
        self.assertEqual(self.service.get("/v1/vaults/1/0x00000000000000000000000000000000000000aa/factors"), (404, {
            "success": False, "error": "No score found for this vault", "disclaimer": self.full["disclaimer"]}))
        status, body = self.service.get("/v1/vaults/x/0x1/factors")
        self.assertEqual((status, set(body["details"]["fieldErrors"])), (400, {"chainId", "address"}))

    def test_addresses_are_read_in_any_case(self):
        row = next(r for r in self.rows if r["chainId"] == SOLANA and r["onchainId"])
        for address in (row["onchainId"], row["onchainId"].lower(), row["onchainId"].upper()):
            self.assertEqual(self.service.get(f"/v1/vaults/{SOLANA}/{address}/factors")[1]["data"]["vaultId"], row["vaultId"])


if __name__ == "__main__":
    unittest.main()
