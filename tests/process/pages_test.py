"""The pages for people: every page is well-formed, loads nothing, and is where rows say it is."""

import base64
import hashlib
import html.parser
import re
import unittest
import urllib.error
import urllib.request

from assay_process import ServiceTest

VOID = {"meta", "link"}
POLICY_END = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


class Page(html.parser.HTMLParser):
    """Reads a page strictly: everything that is opened is closed in order, anchors are unique."""

    def __init__(self, text):
        super().__init__()
        self.opened, self.faults, self.ids, self.links, self.canonical, self.style = [], [], [], [], None, ""
        self.feed(text)
        self.close()
        if self.opened:
            self.faults.append(f"left open: {self.opened}")

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.opened.append(tag)
        if tag in ("script", "iframe", "img", "object", "embed", "form") or "style" in attributes:
            self.faults.append(f"has <{tag}> {attributes}")
        if any(name.startswith("on") or name == "src" for name in attributes):
            self.faults.append(f"<{tag}> has {attributes}")
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "a":
            self.links.append(attributes["href"])
        if tag == "link":
            self.canonical = attributes["href"] if attributes["rel"] == "canonical" else self.faults.append("loads a link")

    def handle_endtag(self, tag):
        if not self.opened or self.opened.pop() != tag:
            self.faults.append(f"</{tag}> does not close what is open at {self.getpos()}")

    def handle_data(self, data):
        if self.opened and self.opened[-1] == "style":
            self.style += data
        elif not self.opened and data.strip():
            self.faults.append(f"text outside: {data!r}")


class Pages(ServiceTest):
    def fetch(self, path, verb="GET", headers=None):
        request = urllib.request.Request(self.service.origin + path, method=verb, headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as answer:
            with answer:
                return answer.code, answer.headers, answer.read().decode()

    def check(self, path, status):
        got, headers, text = self.fetch(path)
        self.assertEqual((got, headers["content-type"]), (status, "text/html; charset=utf-8"), path)
        page = Page(text)
        self.assertEqual(page.faults, [], path)
        self.assertEqual(len(page.ids), len(set(page.ids)), path)
        digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
        self.assertEqual(
            headers["content-security-policy"], f"default-src 'none'; style-src 'sha256-{digest}'; {POLICY_END}", path
        )
        self.assertNotRegex(page.style, r"url\(|@import")
        self.assertEqual(headers["x-content-type-options"], "nosniff")
        self.assertIn("not investment advice", headers["x-service-disclaimer"])
        self.assertIn("not investment advice", text)
        self.assertTrue(all(re.match(r"[/#]", link) and not link.startswith("//") for link in page.links), path)
        # A path that cannot be decoded counts like one under /v1.
        self.assertTrue(headers["ratelimit-limit"] is None or "%zz" in path, path)
        if status == 200:
            self.assertIn("public", headers["cache-control"])
        else:
            self.assertEqual(headers["cache-control"], "no-store")
        return headers, text, page

    def test_every_row_has_its_page(self):
        rows = self.service.get("/v1/scores?fields=compact")[1]["data"]
        self.assertGreater(len(rows), 10)
        for row in rows:
            path = row["pageUrl"].removeprefix(self.service.origin)
            _, text, page = self.check(path, 200)
            self.assertEqual(page.canonical, path)
            self.assertIn(row["vaultId"], text)
            self.assertIn(row["scoredAt"], text)
            self.assertTrue({"flags", "pillars", "factors", "admin", "exit-test", "metrics", "data", "cite", "YIELD_LEVEL"} <= set(page.ids))

    def test_links_of_a_page_lead_somewhere(self):
        path = self.service.get("/v1/scores?fields=compact&limit=1")[1]["data"][0]["pageUrl"].removeprefix(self.service.origin)
        methodology = set(self.check("/methodology", 200)[2].ids)
        for start in (path, "/", "/methodology"):
            page = self.check(start, 200)[2]
            for link in page.links:
                target, _, anchor = link.partition("#")
                if anchor:
                    self.assertIn(anchor, methodology if target else set(page.ids), link)
                elif not target.endswith("/metrics"):
                    self.assertEqual(self.fetch(target)[0], 200, link)

    def test_the_methodology_shows_every_weight_and_version(self):
        _, text, page = self.check("/methodology", 200)
        row = self.service.get("/v1/scores?limit=1")[1]["data"][0]
        self.assertIn(row["scorerVersion"], text)
        factors = self.service.get(f"/v1/vaults/{row['chainId']}/{row['vaultId'].split(':')[2]}/factors")[1]["data"]["factors"]
        for name in factors:
            self.assertIn(name, page.ids)
        self.assertIn("yield_level.band", page.ids)

    def test_refusals_are_pages(self):
        self.check("/vaults/1/0x00000000000000000000000000000000000000aa", 404)
        for path in ("/vaults/one/0x00000000000000000000000000000000000000aa", "/vaults/1/%zz"):
            self.check(path, 400)
        status, headers, _ = self.fetch("/methodology", "POST")
        self.assertEqual((status, headers["allow"]), (405, "GET, HEAD, OPTIONS"))

    def test_pages_are_revalidated_and_have_heads(self):
        for path in ("/", "/methodology"):
            headers = self.check(path, 200)[0]
            self.assertEqual(self.fetch(path, headers={"If-None-Match": headers["etag"]})[0], 304)
            status, head, body = self.fetch(path, "HEAD")
            self.assertEqual((status, head["content-length"], body), (200, headers["content-length"], ""))


if __name__ == "__main__":
    unittest.main()
