"""Configuration from file, environment and command line, and what a wrong one is answered with."""

import html
import json
import os
import shutil
import unittest

from assay_process import EXEMPT, SOURCE_DIR, Service, TemporaryDirectory, run

PORTS = {"--listen": "127.0.0.1:0", "--admin": "127.0.0.1:0"}
SAMPLE = os.path.join(SOURCE_DIR, "conf", "sample")


def serve(*arguments, env=None):
    """Runs a service that is expected to end by itself."""
    ports = [word for option, value in PORTS.items() if option not in arguments for word in (option, value)]
    return run("serve", *ports, *arguments, env=env)


class WrongConfiguration(TemporaryDirectory):
    def refused(self, *arguments, env=None):
        ended = serve(*arguments, env=env)
        self.assertEqual(ended.returncode, 2, ended)
        self.assertEqual(ended.stdout, "")
        self.assertNotIn("terminate called", ended.stderr)
        lines = [line for line in ended.stderr.splitlines() if line.strip()]
        self.assertGreaterEqual(len(lines), 1)
        return ended.stderr

    def config(self, text):
        with open(self.path("assay.toml"), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path("assay.toml")

    def test_a_broken_file_is_named_with_the_line_and_what_was_expected(self):
        for text, line, words in (
            ("[server]\nlisten = \n", 2, ()),
            ("[server]\nio_threads = 0\n", 2, ("io_threads", "1", "64")),
            ("[server]\nio_threads = \"two\"\n", 2, ("io_threads",)),
            ("\n[limits]\nanonymous_per_minute = -1\n", 3, ("anonymous_per_minute", "1000000")),
            ("[limits]\nexempt_networks = [\"10.0.0.0/99\"]\n", 2, ("10.0.0.0/99", "32")),
            ("[limits]\ntrusted_proxies = [\"::1/x\"]\n", 2, ("::1/x",)),
            ("[redis]\nurl = \"http://x\"\n", 2, ("url", "redis://")),
            ("[server]\npublic_url = \"assay.test\"\n", 2, ("public_url", "https://")),
            ("[server]\npublic_url = \"https://assay.test/\"\n", 2, ("public_url", "slash")),
            ("[log]\nlevel = \"loud\"\n", 2, ("level", "warn")),
            ("[server]\ncolour = 1\n", 2, ("colour",)),
            ("[nowhere]\nx = 1\n", None, ("nowhere",)),
            ("[server]\nlisten = \"a\"\nlisten = \"b\"\n", 3, ("listen",)),
        ):
            with self.subTest(text):
                path = self.config(text)
                said = self.refused("--config", path)
                self.assertIn(os.path.basename(path), said)
                if line:
                    self.assertRegex(said, rf"assay\.toml:{line}\b|line {line}\b")
                for word in words:
                    self.assertIn(word, said)

    def test_a_file_that_is_not_there_is_named(self):
        self.assertIn("missing.toml", self.refused("--config", self.path("missing.toml")))

    def test_a_directory_in_place_of_a_file_is_named(self):
        self.assertIn(self.directory, self.refused("--config", self.directory))

    def test_a_wrong_variable_is_named(self):
        for name, value in (("ASSAY_LIMITS_ANONYMOUS_PER_MINUTE", "many"), ("ASSAY_LIMITS_EXEMPT_NETWORKS", "127.0.0.1/x"),
                            ("ASSAY_REDIS_URL", "http://x"),
                            ("ASSAY_LOG_FORMAT", "xml"), ("ASSAY_SERVER_IO_THREADS", "1e9"), ("ASSAY_LIMITS_KEYS_MAX", "")):
            with self.subTest(name):
                said = self.refused(env={name: value})
                self.assertIn(name, said)

    def test_a_wrong_option_value_is_named(self):
        for option, value in (("--listen", "nowhere"), ("--listen", "127.0.0.1:99999"), ("--admin", "x:y"), ("--universe", "/nonexistent/place")):
            with self.subTest(option=option, value=value):
                self.assertIn(value, self.refused(option, value))


class PublicUrl(unittest.TestCase):
    def page_url(self, service):
        return service.get("/v1/scores?fields=compact&limit=1")[1]["data"][0]["pageUrl"]

    def test_pages_are_cited_by_the_public_url(self):
        with Service(env={**EXEMPT, "ASSAY_SERVER_PUBLIC_URL": "https://assay.test/base"}) as service:
            self.assertTrue(self.page_url(service).startswith("https://assay.test/base/vaults/"))

    def test_an_address_that_nobody_can_cite_is_told(self):
        with Service(listen="0.0.0.0:0") as service:
            self.assertTrue(self.page_url(service).startswith(service.origin))
            self.assertEqual(service.stop(), 0)
            self.assertIn("server.public_url is empty", service.log_text())


class Overrides(TemporaryDirectory):
    def test_command_line_before_environment_before_file(self):
        path = self.path("assay.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write("[server]\nlisten = \"127.0.0.1:1\"\n[limits]\nanonymous_per_minute = 7\npartner_per_minute = 9\n")
        with Service("--config", path, env={"ASSAY_LIMITS_ANONYMOUS_PER_MINUTE": "5"}) as service:
            _, headers, _ = service.fetch("/v1/gas")
            self.assertEqual(headers["RateLimit-Limit"], "5")
            self.assertNotEqual(service.address[1], 1)
            self.assertEqual(service.stop(), 0)

    def test_a_list_is_given_by_commas(self):
        with Service(env={"ASSAY_LIMITS_EXEMPT_NETWORKS": "10.0.0.0/8,127.0.0.0/8", "ASSAY_LIMITS_ANONYMOUS_PER_MINUTE": "2"}) as service:
            self.assertEqual([service.fetch("/v1/gas")[0] for _ in range(6)], [200] * 6)
            self.assertEqual(service.stop(), 0)


class OwnUniverse(TemporaryDirectory):
    def setUp(self):
        super().setUp()
        self.universe = self.path("universe")
        shutil.copytree(SAMPLE, self.universe)

    def refused(self, *words):
        ended = serve("--universe", self.universe)
        self.assertEqual(ended.returncode, 2, ended)
        for word in words:
            self.assertIn(word, ended.stderr)

    def document(self):
        """The first JSON document of the universe that holds an array of objects."""
        for name in sorted(os.listdir(self.universe)):
            path = os.path.join(self.universe, name)
            if name.endswith(".json"):
                with open(path, encoding="utf-8") as file:
                    content = json.load(file)
                for key, value in content.items():
                    if isinstance(value, list) and len(value) > 3 and isinstance(value[0], dict):
                        return path, content, key
        self.fail("the sample has no such document")
        return None

    def test_the_sample_itself_is_served_from_a_directory(self):
        with Service("--universe", self.universe, env=EXEMPT) as service:
            self.assertGreater(service.get("/v1/scores")[1]["total"], 400)
            self.assertEqual(service.stop(), 0)

    def test_names_are_data_wherever_they_are_shown(self):
        name = '</title><script>alert("1")</script>&\\\u2028🦀'
        with open(os.path.join(self.universe, "vaults-aave.json"), encoding="utf-8") as file:
            document = json.load(file)
        vault = document["items"][0]
        vault["name"] = name
        with open(os.path.join(self.universe, "vaults-aave.json"), "w", encoding="utf-8") as file:
            json.dump(document, file)
        with Service("--universe", self.universe, env=EXEMPT) as service:
            place = f"{vault['chainId']}/{vault['address']}"
            self.assertEqual(service.get(f"/v1/scores?chainId={vault['chainId']}&address={vault['address']}")[1]["data"][0]["name"], name)
            status, headers, page = service.fetch(f"/vaults/{place}")
            self.assertEqual(status, 200)
            self.assertNotIn(b"<script", page)
            self.assertIn(html.escape(name).replace("&#x27;", "'").encode(), page)
            self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
            self.assertEqual(service.stop(), 0)

    def test_a_document_that_is_not_json_is_named_with_its_place(self):
        path, _, _ = self.document()
        with open(path, "r+", encoding="utf-8") as file:
            file.truncate(os.path.getsize(path) // 2)
        self.refused(os.path.basename(path))

    def test_a_wrong_value_is_named_by_its_pointer(self):
        path, content, key = self.document()
        field = next(iter(content[key][2]))
        content[key][2][field] = {"not": "this"}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
        self.refused(os.path.basename(path), f"/{key}/2/{field}")

    def test_an_empty_directory_is_refused(self):
        shutil.rmtree(self.universe)
        os.mkdir(self.universe)
        self.refused(self.universe)


if __name__ == "__main__":
    unittest.main()
