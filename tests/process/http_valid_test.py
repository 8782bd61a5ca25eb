"""Requests that RFC 9110 and RFC 9112 allow though few clients send them: each is answered as the
RFCs say. Raw sockets, so that nothing is put right on the way."""

import email.utils
import gzip
import json
import re
import time
import unittest

from assay_process import EXEMPT, ServiceTest
from raw_http import Connection, exchange, request

BASKET = b'{"positions":[{"chainId":1,"address":"0x00000000000000000000000000000000000000aa"}]}'
JSON = ("Content-Type", "application/json")
LENGTH = ("Content-Length", str(len(BASKET)))
CHUNKED = ("Transfer-Encoding", "chunked")


def tagged(target, tag, **options):
    """A request whose answer can be told by its X-Request-Id."""
    headers = [*options.pop("headers", ()), ("X-Request-Id", tag)]
    return request(target, headers=headers, **options)


class ValidRequests(ServiceTest):
    def one(self, raw, method="GET"):
        responses = exchange(self.service.address, raw, methods=(method,))
        self.assertEqual(len(responses), 1, responses)
        return responses[0]

    def assert_good(self, raw, method="GET"):
        response = self.one(raw, method)
        self.assertEqual(response.status, 200, response)
        return response

    def test_every_form_of_a_target_is_understood(self):
        for target in ("http://assay.test/v1/gas", "http://other.test:8080/v1/gas", "HTTP://assay.test/v1/gas",
                       "/v1/gas?", "/v1/gas/", "/v1/%67as", "/v1/gas?a=%F0%9F%A6%80&b=+", "/v1/gas?&&=&"):
            with self.subTest(target):
                self.assertIn("data", json.loads(self.assert_good(request(target)).body))

    def test_odd_but_legal_heads_are_understood(self):
        for name, raw in {
            "an empty line first": b"\r\n" + request("/v1/gas"),
            "no blank after the colon": b"GET /v1/gas HTTP/1.1\r\nHost:assay.test\r\n\r\n",
            "blanks and tabs around a value": b"GET /v1/gas HTTP/1.1\r\nHost: \t assay.test \t \r\n\r\n",
            "any case of a name": b"GET /v1/gas HTTP/1.1\r\nhOST: assay.test\r\n\r\n",
            "an empty value": request("/v1/gas", headers=[("X-A", "")]),
            "octets past ASCII in a value": request("/v1/gas", headers=[("X-A", "\xe9\xff")]),
            "every token character in a name": request("/v1/gas", headers=[("!#$%&'*+-.^_`|~09az", "1")]),
            "a repeated list field": request("/v1/gas", headers=[("Accept", "a/b"), ("Accept", "*/*")]),
            "a Host with a port": request("/v1/gas", host="assay.test:8080"),
            "a Host that is an IPv6 address": request("/v1/gas", host="[::1]:80"),
            "an upgrade that is not taken": request("/v1/gas", headers=[("Connection", "Upgrade, HTTP2-Settings"), ("Upgrade", "h2c"), ("HTTP2-Settings", "AAMAAABkAAQAAP__")]),
            "a range that is not served": request("/v1/gas", headers=[("Range", "bytes=0-1")]),
            "a media type that is not offered": request("/v1/gas", headers=[("Accept", "application/xml")]),
            "a body on GET": request("/v1/gas", headers=[("Content-Length", "5")], body=b"hello"),
            "a chunked body on GET": request("/v1/gas", headers=[CHUNKED], body=b"5\r\nhello\r\n0\r\n\r\n"),
            "leading zeros in a length": request("/v1/gas", headers=[("Content-Length", "0005")], body=b"hello"),
        }.items():
            with self.subTest(name):
                self.assert_good(raw)

    def test_bodies_in_chunks_are_read_whole(self):
        size = b"%x" % len(BASKET)
        whole = size + b"\r\n" + BASKET + b"\r\n0\r\n\r\n"
        for name, body in {
            "one chunk": whole,
            "one octet each": b"".join(b"1\r\n%c\r\n" % octet for octet in BASKET) + b"0\r\n\r\n",
            "upper-case size": size.upper() + b"\r\n" + BASKET + b"\r\n0\r\n\r\n",
            "zeros before the size": b"00" + size + b"\r\n" + BASKET + b"\r\n000\r\n\r\n",
            "an extension": size + b";a=b\r\n" + BASKET + b"\r\n0;c\r\n\r\n",
            "a quoted extension": size + b';a="b;c\\"d"\r\n' + BASKET + b"\r\n0\r\n\r\n",
            "trailers": size + b"\r\n" + BASKET + b"\r\n0\r\nX-Sum: 1\r\nX-B: 2\r\n\r\n",
        }.items():
            with self.subTest(name):
                raw = request("/v1/basket", "POST", [JSON, CHUNKED], body)
                responses = exchange(self.service.address, raw + tagged("/v1/gas", "behind"))
                self.assertEqual([r.status for r in responses], [200, 200], responses)
                self.assertEqual(responses[1].header("x-request-id"), "behind")

    def test_a_request_may_come_octet_by_octet(self):
        raw = request("/v1/basket", "POST", [JSON, CHUNKED], b"54\r\n" + BASKET + b"\r\n0\r\n\r\n")
        with Connection(self.service.address) as connection:
            for octet in raw:
                connection.send(bytes([octet]))
            self.assertEqual(connection.response().status, 200)

    def test_pipelined_requests_are_answered_in_order(self):
        asked = [
            ("/v1/scores", "GET"), ("/v1/gas", "HEAD"), ("/v1/scores?limit=0", "GET"), ("/v1/nope", "GET"),
            ("/v1/portfolio?riskTier=balanced&principal=5000", "GET"), ("/v1/basket", "POST"), ("/v1/scores", "DELETE"), ("*", "OPTIONS"),
        ] * 4
        raw = b""
        for i, (target, method) in enumerate(asked):
            post = {"headers": [JSON, LENGTH], "body": BASKET} if method == "POST" else {}
            raw += tagged(target, f"p{i}", method=method, **post)
        responses = exchange(self.service.address, raw, methods=[method for _, method in asked])
        self.assertEqual([r.header("x-request-id") for r in responses], [f"p{i}" for i in range(len(asked))])
        expected = [200, 200, 400, 404, 200, 200, 405, 204] * 4
        self.assertEqual([r.status for r in responses], expected)

    def test_a_refused_parameter_does_not_cost_the_connection(self):
        with Connection(self.service.address) as connection:
            for target, status in (("/v1/scores?limit=x", 400), ("/v1/nope", 404), ("/v1/gas", 200)):
                connection.send(request(target))
                self.assertEqual(connection.response().status, status)

    def test_a_body_that_a_method_has_no_use_for_is_skipped(self):
        raw = request("/v1/scores", "POST", [LENGTH, JSON], BASKET) + request("/v1/gas")
        self.assertEqual([r.status for r in exchange(self.service.address, raw)], [405, 200])

    def test_head_tells_the_length_of_get(self):
        for target in ("/v1/scores", "/v1/catalog", "/v1/gas", "/v1/openapi.json", "/v1/scores?limit=x", "/v1/nope", "/health/live"):
            for encoding in ((), (("Accept-Encoding", "gzip"),)):
                with self.subTest(target=target, encoding=encoding):
                    get = self.one(request(target, headers=encoding))
                    head = self.one(request(target, "HEAD", headers=encoding), "HEAD")
                    self.assertEqual((head.status, head.body), (get.status, b""))
                    for name in ("content-length", "content-type", "content-encoding", "etag", "vary"):
                        self.assertEqual(head.header(name), get.header(name), name)
                    self.assertEqual(int(get.header("content-length")), len(get.body))

    def test_an_unchanged_representation_is_not_sent_again(self):
        first = self.assert_good(request("/v1/scores"))
        etag = first.header("etag")
        self.assertRegex(etag, r'^"[!#-~]+"$')
        for value, status in ((etag, 304), (f"W/{etag}", 304), (f'"a", {etag} , "b"', 304), ("*", 304), ('"a"', 200), ("", 200), (etag[:-1], 200)):
            for method in ("GET", "HEAD"):
                with self.subTest(value=value, method=method):
                    response = self.one(request("/v1/scores", method, [("If-None-Match", value)]), method)
                    self.assertEqual(response.status, status)
                    self.assertEqual(response.header("etag"), etag)
                    self.assertTrue(response.header("x-service-disclaimer"))
                    self.assertTrue(response.header("cache-control"))
        refused = self.one(request("/v1/scores?limit=x", headers=[("If-None-Match", "*")]))
        self.assertEqual(refused.status, 400)

    def test_gzip_is_sent_when_it_is_asked_for(self):
        plain = self.assert_good(request("/v1/scores"))
        for value, packed in (("gzip", True), ("GZIP", True), ("x-gzip", None), ("*", None), ("gzip;q=0.001", True), ("br, gzip", True),
                              ("gzip;q=0", False), ("identity", False), ("", False), ("*;q=0, identity", False), ("br;q=1.0, gzip;q=0.0", False)):
            with self.subTest(value):
                response = self.assert_good(request("/v1/scores", headers=[("Accept-Encoding", value)]))
                coded = response.header("content-encoding")
                if packed is not None:
                    self.assertEqual(coded == "gzip", packed)
                self.assertEqual(gzip.decompress(response.body) if coded else response.body, plain.body)
                self.assertIn("accept-encoding", (response.header("vary") or "").lower())

    def test_options_and_trace(self):
        star = self.one(request("*", "OPTIONS"))
        self.assertEqual((star.status, star.body), (204, b""))
        self.assertTrue(star.header("x-service-disclaimer"))
        preflight = self.one(request("/v1/basket", "OPTIONS", [("Origin", "https://example.org"), ("Access-Control-Request-Method", "POST")]))
        self.assertEqual(preflight.status, 204)
        self.assertIn("POST", preflight.header("access-control-allow-methods"))
        for method in ("TRACE", "PUT", "DELETE", "PATCH"):
            with self.subTest(method):
                response = self.one(request("/v1/scores", method))
                self.assertEqual(response.status, 405)
                self.assertIn("GET", response.header("allow"))
                self.assertNotIn("POST", response.header("allow"))

    def test_http_1_0_closes_unless_asked_to_stay(self):
        response = self.assert_good(request("/v1/gas", version="HTTP/1.0", host=None))
        self.assertIsNone(response.header("transfer-encoding"))
        with Connection(self.service.address) as connection:
            connection.send(request("/v1/gas", version="HTTP/1.0", host=None))
            self.assertEqual(connection.response().status, 200)
            self.assertTrue(connection.at_end())
        with Connection(self.service.address) as connection:
            for _ in range(3):
                connection.send(request("/v1/gas", version="HTTP/1.0", headers=[("Connection", "Keep-Alive")]))
                response = connection.response()
                self.assertEqual((response.status, response.header("connection").lower()), (200, "keep-alive"))

    def test_connection_close_is_obeyed(self):
        for value in ("close", "Close", "keep-alive, close", "x, CLOSE , y"):
            with self.subTest(value), Connection(self.service.address) as connection:
                connection.send(request("/v1/gas", headers=[("Connection", value)]) + request("/v1/gas"))
                response = connection.response()
                self.assertEqual((response.status, response.header("connection")), (200, "close"))
                self.assertTrue(connection.at_end())

    def test_continue_comes_before_the_body_and_only_when_it_is_wanted(self):
        expect = ("Expect", "100-continue")
        with Connection(self.service.address) as connection:
            connection.send(request("/v1/basket", "POST", [JSON, LENGTH, expect]))
            self.assertEqual(connection.response().status, 100)
            connection.send(BASKET)
            self.assertEqual(connection.response().status, 200)
        with Connection(self.service.address) as connection:
            connection.send(request("/v1/basket", "POST", [JSON, ("Content-Length", "9000000"), expect]))
            self.assertEqual(connection.response().status, 413)
        with Connection(self.service.address) as connection:
            connection.send(request("/v1/basket", "POST", [JSON, LENGTH, expect], version="HTTP/1.0") + BASKET)
            self.assertEqual(connection.response().status, 200)
        with Connection(self.service.address) as connection:
            connection.send(request("/v1/gas", headers=[expect]))
            self.assertEqual(connection.response().status, 200)

    def test_a_half_closed_client_gets_its_answer(self):
        self.assertEqual(len(exchange(self.service.address, request("/v1/scores") * 5)), 5)

    def test_every_answer_is_dated_and_names_no_server_version(self):
        for target in ("/v1/gas", "/v1/nope", "/health/live", "/v1/scores?limit=x"):
            response = self.one(request(target))
            sent = email.utils.parsedate_to_datetime(response.header("date"))
            self.assertRegex(response.header("date"), r"^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$")
            self.assertLess(abs(sent.timestamp() - time.time()), 5)
            self.assertIsNone(re.search(r"\d", response.header("server") or ""))
            self.assertEqual(response.header("x-content-type-options"), "nosniff")
            self.assertTrue(response.header("content-security-policy"), target)
            self.assertTrue(response.header("referrer-policy"), target)

    def test_a_request_id_is_kept_when_it_is_harmless(self):
        for sent, kept in (("abc-1.2_Z", True), ("a" * 64, True), ("a" * 65, False), ("a b", False), ("<x>", False), ("", False)):
            with self.subTest(sent):
                answer = self.one(request("/v1/gas", headers=[("X-Request-Id", sent)])).header("x-request-id")
                self.assertEqual(answer == sent, kept)
                self.assertRegex(answer, r"^[A-Za-z0-9._-]{1,64}$")


class SlowClients(ServiceTest):
    env = {**EXEMPT, "ASSAY_HTTP_HEADER_TIMEOUT_MS": "300", "ASSAY_HTTP_BODY_TIMEOUT_MS": "300", "ASSAY_HTTP_IDLE_TIMEOUT_MS": "300"}

    def cut(self, raw):
        with Connection(self.service.address) as connection:
            start = time.monotonic()
            connection.send(raw)
            response = connection.response()
            self.assertTrue(response is None or connection.at_end())
            self.assertGreater(time.monotonic() - start, 0.2)
            return response

    def test_a_head_or_a_body_that_does_not_come_is_408(self):
        for raw in (b"GET /v1/gas HTTP/1.1\r\nHost: a", request("/v1/basket", "POST", [JSON, LENGTH], BASKET[:9]),
                    request("/v1/basket", "POST", [JSON, CHUNKED], b"5\r\nabc")):
            with self.subTest(raw=raw[-30:]):
                response = self.cut(raw)
                self.assertEqual(response.status, 408)
                self.assertIs(json.loads(response.body)["success"], False)

    def test_an_idle_connection_is_closed_without_a_word(self):
        self.assertIsNone(self.cut(b""))


if __name__ == "__main__":
    unittest.main()
