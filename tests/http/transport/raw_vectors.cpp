#include "tests/http/transport/raw_vectors.hpp"

#include <string_view>
#include <utility>

namespace assay::http::test {
namespace {

using namespace std::string_literals;

/// Collects the vectors of one family; names get the family in front.
class family {
public:
  family(std::vector<raw_vector>& all, std::string name) : all_(all), name_(std::move(name)) {}

  void add(std::string_view what, std::string octets, std::vector<int> statuses) {
    all_.push_back({name_ + "/" + std::string(what), std::move(octets), std::move(statuses)});
  }
  /// A request line, with a good Host behind it.
  void line(const std::string& request_line, std::vector<int> statuses) {
    add(request_line, request_line + "\r\nHost: h\r\n\r\n", std::move(statuses));
  }
  /// A GET with a good Host and further header octets (complete lines).
  void header(const std::string& lines, std::vector<int> statuses) {
    add(lines, "GET / HTTP/1.1\r\nHost: h\r\n" + lines + "\r\n", std::move(statuses));
  }
  /// A POST with header lines and what follows the head.
  void post(const std::string& lines, const std::string& rest, std::vector<int> statuses) {
    add(lines + "|" + rest, "POST /b HTTP/1.1\r\nHost: h\r\n" + lines + "\r\n" + rest,
        std::move(statuses));
  }
  void chunked(const std::string& body, std::vector<int> statuses) {
    post("Transfer-Encoding: chunked\r\n", body, std::move(statuses));
  }

private:
  std::vector<raw_vector>& all_;
  std::string name_;
};

const std::string good = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";

void add_request_lines(family f) {
  for (const char* method : {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"})
    f.line(method + " / HTTP/1.1"s, {200});
  for (const char* target : {"/",
                             "/a",
                             "/a/b/",
                             "//",
                             "//host/path",
                             "/%41%zz",
                             "/?",
                             "/?a",
                             "/a?b?c",
                             "/a;p=1",
                             "/~!$&'()*+,;=:@-._",
                             "/[x]",
                             "/{x}|^`\"<>\\",
                             "/?a[]=1",
                             "http://h/",
                             "http://h",
                             "http://h?q",
                             "HTTP://H/a",
                             "http://h:80/",
                             "http://h:/",
                             "http://[::1]:8080/x",
                             "http://other/x",
                             "http://1.2.3.4/"})
    f.line("GET "s + target + " HTTP/1.1", {200});
  f.line("OPTIONS * HTTP/1.1", {200});
  f.line("OPTIONS http://h HTTP/1.1", {200});
  for (const char* target : {"*",
                             "a",
                             "a/b",
                             "?x",
                             "h:80",
                             "http:/h",
                             "http:///",
                             "http://",
                             "http://:80/",
                             "http://h:x/",
                             "http://h:65536/",
                             "http://h:123456/",
                             "http://u@h/",
                             "http://u:p@h/",
                             "http://[::1/",
                             "http://[::g]/",
                             "http://[]/",
                             "http://h%/",
                             "http://h%zz/",
                             "https://h/",
                             "ftp://h/",
                             "file:///etc/passwd",
                             "javascript:alert(1)",
                             "/#f",
                             "/a#",
                             "#",
                             "/a?b#c",
                             "/\x7f",
                             "/\x80",
                             "/\xff",
                             "/\xc3\xa9",
                             "/\x01",
                             "/\t",
                             "/a\tb",
                             "\\"})
    f.line("GET "s + target + " HTTP/1.1", {any_4xx});
  f.line("CONNECT h:443 HTTP/1.1", {501});
  for (const char* target : {"h", "/", "*", "h:", ":443", "h:70000", "http://h:443/", "h:443/"})
    f.line("CONNECT "s + target + " HTTP/1.1", {400});
  for (const char* method : {"get", "Get", "GETT", "G", "FOO", "PROPFIND", "QUERY", "PRI",
                             "M-SEARCH", "!#$%&'*+-.^_`|~0", "SSTP_DUPLEX_POST"})
    f.line(method + " / HTTP/1.1"s, {501});
  for (const char* method : {"", "G(T", "GE\"T", "G/T", "G:T", "G\x80T", "G\x01T", "G[T]", "{GET}",
                             "GET\\", "GE,T", "GET;", "<GET>", "@"})
    f.line(method + " / HTTP/1.1"s, {any_4xx});
  for (const char* version :
       {"HTTP/2.0", "HTTP/1.2", "HTTP/1.9", "HTTP/0.9", "HTTP/3.0", "HTTP/9.9"})
    f.line("GET / "s + version, {505});
  for (const char* version :
       {"",           "HTTP/1",   "HTTP/1.",      "HTTP/.1",     "HTTP/1.10", "HTTP/01.1",
        "HTTP/1.1.1", "HTTP/11",  "HTTP 1.1",     "http/1.1",    "Http/1.1",  "HTTPS/1.1",
        "HTTP/a.b",   "HTTP/1,1", "HTTP/1.1 ",    "HTTP/1.1\t",  "HTTP/1.1x", "HTTP/1.-1",
        "HTTP/+1.1",  "XTTP/1.1", "HTTP/ 1.1",    "HTTP/1. 1",   "HTP/1.1",   "HTTP/\xef\xbc\x91.1",
        "SHTTP/1.1",  "ICY/1.1",  "HTTP/1.1\x0b", "\"HTTP/1.1\""})
    f.line("GET / "s + version, {any_4xx});
  for (const char* line : {"GET",
                           "GET ",
                           "GET /",
                           "GET  / HTTP/1.1",
                           "GET /  HTTP/1.1",
                           " GET / HTTP/1.1",
                           "\tGET / HTTP/1.1",
                           "GET\t/ HTTP/1.1",
                           "GET /\tHTTP/1.1",
                           "GET\x0b/ HTTP/1.1",
                           "GET\x0c/ HTTP/1.1",
                           "GET / a HTTP/1.1",
                           "GET /a b HTTP/1.1",
                           "GET/ HTTP/1.1",
                           "/ HTTP/1.1",
                           "HTTP/1.1 200 OK",
                           "Host: h",
                           "GET HTTP/1.1",
                           "GET /HTTP/1.1",
                           "Extra lineGET / HTTP/1.1",
                           "GET / HTTP/1.1 x",
                           "GET\xa0/ HTTP/1.1",
                           "GET /\xa0HTTP/1.1",
                           "GET%20/ HTTP/1.1",
                           ":",
                           "GET / HTTP/1.1;",
                           "\xef\xbb\xbfGET / HTTP/1.1",
                           "GET / HTTP /1.1",
                           "* HTTP/1.1"})
    f.line(line, {any_4xx});
  f.add("http/0.9", "GET /\r\n", {any_4xx});
  f.add("http/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {505});
  f.add("tls client hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s, {any_4xx});
  f.add("ssh", "SSH-2.0-OpenSSH_9.2\r\n", {any_4xx});
  f.add("empty", "", {});
  f.add("one empty line", "\r\n" + good, {200});
  f.add("four empty lines", "\r\n\r\n\r\n\r\n" + good, {200});
  f.add("five empty lines", "\r\n\r\n\r\n\r\n\r\n" + good, {any_4xx});
  f.add("bare LF in front", "\n" + good, {any_4xx});
  f.add("bare CR in front", "\r" + good, {any_4xx});
  f.add("blank line of a space", " \r\n" + good, {any_4xx});
  f.add("NUL in front", "\0"s + good, {any_4xx});
}

void add_line_ends(family f) {
  f.add("LF ends the request line", "GET / HTTP/1.1\nHost: h\r\n\r\n", {any_4xx});
  f.add("LF everywhere", "GET / HTTP/1.1\nHost: h\n\n", {any_4xx});
  f.add("LF ends a field", "GET / HTTP/1.1\r\nHost: h\nX: y\r\n\r\n", {any_4xx});
  f.add("LF ends the head", "GET / HTTP/1.1\r\nHost: h\r\n\n", {any_4xx});
  f.add("CR ends the request line", "GET / HTTP/1.1\rHost: h\r\n\r\n", {any_4xx});
  f.add("CR ends a field", "GET / HTTP/1.1\r\nHost: h\rX: y\r\n\r\n", {any_4xx});
  f.add("CR CR LF", "GET / HTTP/1.1\r\nHost: h\r\r\n\r\n", {any_4xx});
  f.add("LF CR", "GET / HTTP/1.1\n\rHost: h\n\r\n\r", {any_4xx});
  f.add("CRLF CR X", "GET / HTTP/1.1\r\nHost: h\r\n\rX: y\r\n\r\n", {any_4xx});
  f.add("CR in the target", "GET /\rx HTTP/1.1\r\nHost: h\r\n\r\n", {any_4xx});
  f.add("CR before SP", "GET / HTTP/1.1\r\nHost: h\r\nX: a\r b\r\n\r\n", {any_4xx});
  f.add("CR at the end of a value", "GET / HTTP/1.1\r\nHost: h\r\nX: a\r\r\n\r\n", {any_4xx});
  f.add("LF inside a value", "GET / HTTP/1.1\r\nHost: h\r\nX: a\nb: c\r\n\r\n", {any_4xx});
  f.add("LF LF inside a value", "GET / HTTP/1.1\r\nHost: h\r\nX: a\n\nGET /s HTTP/1.1\r\n\r\n",
        {any_4xx});
  f.add("NEL ends a line", "GET / HTTP/1.1\x85Host: h\r\n\r\n", {any_4xx});
  f.add("U+2028 ends a line", "GET / HTTP/1.1\xe2\x80\xa8Host: h\r\n\r\n", {any_4xx});
  f.add("VT ends a line", "GET / HTTP/1.1\x0bHost: h\r\n\r\n", {any_4xx});
}

void add_fields(family f) {
  f.header("", {200});
  for (const char* line : {"X: y",
                           "X:y",
                           "X:\ty",
                           "X: \t y \t ",
                           "X:",
                           "X: ",
                           "X:  ",
                           "x-_.~!#$%&'*+^`|: y",
                           "X: \xc3\xa9",
                           "X: \x80\xff",
                           "X: a\tb",
                           "X: a:b:c",
                           "X: \"q\\\"\"",
                           "X: (c)",
                           "X: ,",
                           "X: ;",
                           "1: 2",
                           "X: y\r\nX: y",
                           "X: y\r\nX: z",
                           "Transfer_Encoding: chunked",
                           "Content_Length: 5",
                           "Cookie: a=b; c=d",
                           "Connection: a, b",
                           "Connection: ,a,,b,",
                           "Connection:",
                           "Upgrade: h2c",
                           "Connection: upgrade\r\nUpgrade: websocket",
                           "TE: trailers",
                           "Trailer: X",
                           "Max-Forwards: 0",
                           "Accept: */*",
                           "Authorization: Basic eDp5",
                           "If-None-Match: \"x\"",
                           "Range: bytes=0-",
                           "Proxy-Connection: keep-alive",
                           "Keep-Alive: timeout=5",
                           "Via: 1.1 x",
                           "Date: not a date"})
    f.header(line + "\r\n"s, {200});
  for (const char* line : {"X : y",
                           "X\t: y",
                           " X: y",
                           "\tX: y",
                           ": y",
                           ":",
                           "X",
                           "X y",
                           "X y: z",
                           "X\x0b: y",
                           "X[]: y",
                           "X(: y",
                           "X,: y",
                           "X/: y",
                           "X;: y",
                           "X=: y",
                           "X@: y",
                           "X{: y",
                           "\"X\": y",
                           "X\\: y",
                           "X<>: y",
                           "X\x80: y",
                           "\xc3\xa9: y",
                           "X\x01: y",
                           "X: \x01",
                           "X: a\x07z",
                           "X: a\x7fz",
                           "X: \x0b",
                           "X: \x0c",
                           "X: \x1b[31m",
                           "X: y\r\n folded",
                           "X: y\r\n\tfolded",
                           "X:\r\n y",
                           "X: y\r\n ",
                           "X: y\r\n :z",
                           "GET / HTTP/1.1",
                           "Connection: a b",
                           "Connection: \"",
                           "Connection: close;",
                           "HTTP/1.1 200 OK",
                           "=: y",
                           "X?: y",
                           "Content-Length : 0",
                           "Transfer-Encoding : chunked",
                           "Host : h",
                           "\xef\xbb\xbfX: y"})
    f.header(line + "\r\n"s, {any_4xx});
  f.header("X: a\0b\r\n"s, {any_4xx});
  f.header("X\0: b\r\n"s, {any_4xx});
  f.header("\0\r\n"s, {any_4xx});
  f.header("X: y\r\n \r\n", {any_4xx});
  f.add("first field folded", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", {any_4xx});
  f.add("space line in front of Host", "GET / HTTP/1.1\r\n \r\nHost: h\r\n\r\n", {any_4xx});
  for (int c = 1; c < 256; ++c) {
    const std::string octet(1, static_cast<char>(c));
    const std::string name = "octet " + std::to_string(c);
    const bool token = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       "!#$%&'*+-.^_`|~"s.find(octet) != std::string::npos;
    // `X:Y: z` is a field X with the value `Y: z`.
    f.add(name + " in a name", "GET / HTTP/1.1\r\nHost: h\r\nX" + octet + "Y: z\r\n\r\n",
          {token || c == ':' ? 200 : any_4xx});
    const bool text = c == '\t' || (c >= 0x20 && c != 0x7f);
    f.add(name + " in a value", "GET / HTTP/1.1\r\nHost: h\r\nX: a" + octet + "b\r\n\r\n",
          {text ? 200 : any_4xx});
    const bool visible = c > 0x20 && c < 0x7f && c != '#';
    f.add(name + " in a target", "GET /a" + octet + "b HTTP/1.1\r\nHost: h\r\n\r\n",
          {visible ? 200 : any_4xx});
  }
}

void add_hosts(family f) {
  const auto with = [&](const std::string& lines, std::vector<int> statuses) {
    f.add(lines, "GET / HTTP/1.1\r\n" + lines + "\r\n", std::move(statuses));
  };
  for (const char* host :
       {"h", "H", "example.com", "example.com.", "example.com:80", "example.com:", "1.2.3.4",
        "1.2.3.4:8080", "[::1]", "[::1]:80", "[2001:db8::1]", "[::ffff:1.2.3.4]", "a_b",
        "xn--bcher-kva.example", "%41", "h:65535", "h:0"})
    with("Host: "s + host + "\r\n", {200});
  for (const char* host : {"",
                           " ",
                           "a b",
                           "a/b",
                           "a?b",
                           "a#b",
                           "a@b",
                           "u:p@h",
                           "http://h",
                           "h:80:80",
                           "h:x",
                           "h:-1",
                           "h:65536",
                           "h:80 ",
                           "h: 80",
                           "a,b",
                           "a, b",
                           "[::1",
                           "::1",
                           "[::1]x",
                           "[::1]:x",
                           "[]",
                           "[g]",
                           "[1.2.3.4]",
                           "%",
                           "%4",
                           "%zz",
                           "a\tb",
                           "a\\b",
                           "\"h\"",
                           "<h>",
                           "h;",
                           "{h}",
                           "h|",
                           "a^b",
                           "h\x80",
                           "\xc3\xa9.example",
                           ":80",
                           ":",
                           "h:80/",
                           "(h)",
                           "h=",
                           "$h",
                           "a!b",
                           "h*"})
    // Blanks around a value belong to the syntax of fields.
    with("Host: "s + host + "\r\n", {host == "h:80 "s ? 200 : any_4xx});
  with("", {any_4xx});
  with("X: y\r\n", {any_4xx});
  with("Host: h\r\nHost: h\r\n", {any_4xx});
  with("Host: a\r\nHost: b\r\n", {any_4xx});
  with("Host: h\r\nX: y\r\nhOST: h\r\n", {any_4xx});
  with("Host: h\r\nHost:\r\n", {any_4xx});
  with("hOsT: h\r\n", {200});
  with("HOST:h\r\n", {200});
  f.add("1.0 without", "GET / HTTP/1.0\r\n\r\n", {200});
  f.add("1.0 with", "GET / HTTP/1.0\r\nHost: h\r\n\r\n", {200});
  f.add("1.0 twice", "GET / HTTP/1.0\r\nHost: h\r\nHost: h\r\n\r\n", {any_4xx});
  f.add("1.0 invalid", "GET / HTTP/1.0\r\nHost: a b\r\n\r\n", {any_4xx});
  f.add("absolute without", "GET http://h/ HTTP/1.1\r\n\r\n", {any_4xx});
  f.add("absolute with another", "GET http://h/ HTTP/1.1\r\nHost: other\r\n\r\n", {200});
  f.add("absolute with an invalid one", "GET http://h/ HTTP/1.1\r\nHost: a b\r\n\r\n", {any_4xx});
}

void add_content_lengths(family f) {
  f.post("", "", {200});
  f.post("Content-Length: 0\r\n", "", {200});
  f.post("Content-Length: 3\r\n", "abc", {200});
  f.post("Content-Length: 3\r\n", "abc" + good, {200, 200});
  f.post("Content-Length: 003\r\n", "abc", {200});
  f.post("content-LENGTH:\t3 \r\n", "abc", {200});
  f.post("Content-Length: 3\r\n", "ab", {});
  f.post("Content-Length: 3\r\n", "abcGET", {200});
  f.post("Content-Length: 3\r\n", "a\0c"s, {200});
  for (const char* value : {"",
                            " ",
                            "+3",
                            "-3",
                            "-0",
                            "3 3",
                            "3,3",
                            "3, 3",
                            "3,",
                            ",3",
                            "3;",
                            "3;x",
                            "0x3",
                            "3.0",
                            "3e0",
                            "1_000",
                            "a",
                            "3a",
                            "\"3\"",
                            "'3'",
                            "3\t3",
                            "\xd9\xa3",
                            "\xef\xbc\x93",
                            "3\x0b",
                            "(3)",
                            "3/3",
                            "three",
                            "NaN",
                            "0b11",
                            "3 ;",
                            "=3",
                            "3\xa0",
                            "\xa0"
                            "3"})
    f.post("Content-Length: "s + value + "\r\n", "abc" + good, {any_4xx});
  f.post("Content-Length: 3\r\nContent-Length: 3\r\n", "abc" + good, {any_4xx});
  f.post("Content-Length: 3\r\nContent-Length: 4\r\n", "abc" + good, {any_4xx});
  f.post("Content-Length: 3\r\nX: y\r\ncontent-length: 3\r\n", "abc" + good, {any_4xx});
  f.post("Content-Length: 3\r\nContent-Length:\r\n", "abc" + good, {any_4xx});
  f.post("Content-Length: 0\r\nContent-Length: 3\r\n", "abc" + good, {any_4xx});
  f.post("Content-Length: 65536\r\n", std::string(65536, 'x'), {200});
  f.post("Content-Length: 65537\r\n", std::string(65537, 'x'), {413});
  for (const char* huge : {"4294967296", "4294967299", "9223372036854775808",
                           "18446744073709551615", "18446744073709551616", "18446744073709551619",
                           "99999999999999999999999999999999999999999999999999"})
    f.post("Content-Length: "s + huge + "\r\n", "abc" + good, {413});
  f.add("GET with a body", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" + good,
        {200, 200});
  f.add("HEAD with a body", "HEAD / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" + good,
        {200, 200});
  f.add("1.0 with a body", "POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc", {200});
  f.add("1.0 keep-alive",
        "POST / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\nabc" + good,
        {200, 200});
  f.add("hidden request in a body",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(good.size()) +
            "\r\n\r\n" + good,
        {200});
}

void add_transfer_encodings(family f) {
  const std::string body = "3\r\nabc\r\n0\r\n\r\n";
  for (const char* value :
       {"chunked", "Chunked", "CHUNKED", "\tchunked", "chunked ", "  chunked\t"})
    f.post("Transfer-Encoding: "s + value + "\r\n", body + good, {200, 200});
  for (const char* value : {"gzip, chunked", "deflate, gzip, chunked", "x, chunked",
                            "identity, chunked", "gzip , chunked", "gzip,chunked"})
    f.post("Transfer-Encoding: "s + value + "\r\n", body + good, {501});
  for (const char* value : {"",
                            "identity",
                            "gzip",
                            "x",
                            "chunked, chunked",
                            "chunked, gzip",
                            "chunked, identity",
                            ", chunked",
                            "chunked,",
                            "chunked;q=1",
                            "chunked; x",
                            "\"chunked\"",
                            "'chunked'",
                            "xchunked",
                            "chunkedx",
                            "chunk",
                            "chunked chunked",
                            "chunked\x0b",
                            "\x0b"
                            "chunked",
                            "\x0c"
                            "chunked",
                            "chunked\xa0",
                            "\xa0"
                            "chunked",
                            "c h u n k e d",
                            "chunked\x01",
                            "ch\xc3\xbcnked",
                            "chunked/1",
                            "(chunked)",
                            "chunked\\",
                            "=chunked",
                            "chunKed\x85",
                            "cow, chunked, gzip",
                            "gzip;x=y, chunked",
                            "chunked\t;",
                            "\\chunked",
                            "[chunked]",
                            "chunked\x7f"})
    f.post("Transfer-Encoding: "s + value + "\r\n", body + good, {any_4xx});
  f.post("Transfer-Encoding: chunked\0\r\n"s, body, {any_4xx});
  f.post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", body, {any_4xx});
  f.post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", body, {any_4xx});
  f.post("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n", body, {any_4xx});
  f.post("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", body, {any_4xx});
  f.post("Transfer-Encoding:\r\n chunked\r\n", body, {any_4xx});
  f.post("Transfer-Encoding:\r\n\tchunked\r\n", body, {any_4xx});
  f.post("Transfer-Encoding\r\n : chunked\r\n", body, {any_4xx});
  f.post("Transfer-Encoding\r\n: chunked\r\n", body, {any_4xx});
  f.post("Transfer-Encoding: chu\r\nnked: x\r\n", body, {any_4xx});
  f.post(" Transfer-Encoding: chunked\r\n", body, {any_4xx});
  f.post("X: y\nTransfer-Encoding: chunked\r\n", body, {any_4xx});
  f.post("X: y\rTransfer-Encoding: chunked\r\n", body, {any_4xx});
  for (const char* other :
       {"Transfer-Encoding: chunked", "Transfer-Encoding: identity",
        "Transfer-Encoding:", "Transfer-encoding: CHUNKED", "Transfer-Encoding: xchunked"}) {
    f.post("Content-Length: 3\r\n"s + other + "\r\n", body + good, {any_4xx});
    f.post(other + "\r\nContent-Length: 3\r\n"s, body + good, {any_4xx});
    f.post(other + "\r\nX: y\r\nContent-Length: 13\r\n"s, body + good, {any_4xx});
  }
  f.post("Transfer-Encoding: chunked\r\nContent-Length: 0\r\n", body, {any_4xx});
  f.post("Content-Length:\r\nTransfer-Encoding: chunked\r\n", body, {any_4xx});
  f.post("Content-Length: x\r\nTransfer-Encoding: chunked\r\n", body, {any_4xx});
  f.add("1.0", "POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + body,
        {any_4xx});
  f.add("1.0 keep-alive",
        "POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" + body,
        {any_4xx});
  f.add("GET", "GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + body + good,
        {200, 200});
}

void add_chunks(family f) {
  for (const char* body : {"0\r\n\r\n",
                           "3\r\nabc\r\n0\r\n\r\n",
                           "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n",
                           "00\r\n\r\n",
                           "0000000000000000\r\n\r\n",
                           "003\r\nabc\r\n0\r\n\r\n",
                           "a\r\n0123456789\r\n0\r\n\r\n",
                           "A\r\n0123456789\r\n000\r\n\r\n",
                           "3;x\r\nabc\r\n0\r\n\r\n",
                           "3;x=y\r\nabc\r\n0;z\r\n\r\n",
                           "3;x=\"y;z\\\"\"\r\nabc\r\n0\r\n\r\n",
                           "3 ;x\r\nabc\r\n0\r\n\r\n",
                           "3; x = y\r\nabc\r\n0\r\n\r\n",
                           "3\t;\tx\t=\ty\r\nabc\r\n0\r\n\r\n",
                           "3;x;y=z;w\r\nabc\r\n0\r\n\r\n",
                           "0\r\nX: y\r\n\r\n",
                           "0\r\nX: y\r\nZ:\r\n\r\n",
                           "3\r\n\r\n\r\r\n0\r\n\r\n",
                           "5\r\n0\r\n\r\n\r\n0\r\n\r\n",
                           "3;x=\"\xc3\xa9\"\r\nabc\r\n0\r\n\r\n",
                           "3;x=\"\"\r\nabc\r\n0\r\n\r\n"})
    f.chunked(body + good, {200, 200});
  for (const char* body : {"\r\n0\r\n\r\n",
                           "x\r\n\r\n",
                           "g\r\n\r\n",
                           "-3\r\nabc\r\n0\r\n\r\n",
                           "+3\r\nabc\r\n0\r\n\r\n",
                           " 3\r\nabc\r\n0\r\n\r\n",
                           "\t3\r\nabc\r\n0\r\n\r\n",
                           "3 \r\nabc\r\n0\r\n\r\n",
                           "3\t\r\nabc\r\n0\r\n\r\n",
                           "0x3\r\nabc\r\n0\r\n\r\n",
                           "3h\r\nabc\r\n0\r\n\r\n",
                           "3.0\r\nabc\r\n0\r\n\r\n",
                           "3_\r\nabc\r\n0\r\n\r\n",
                           "3,3\r\nabc\r\n0\r\n\r\n",
                           "\"3\"\r\nabc\r\n0\r\n\r\n",
                           "3\nabc\r\n0\r\n\r\n",
                           "3\rabc\r\n0\r\n\r\n",
                           "3\r\r\nabc\r\n0\r\n\r\n",
                           "3\n\r\nabc\r\n0\r\n\r\n",
                           "3\r\nabc\n0\r\n\r\n",
                           "3\r\nabc\r0\r\n\r\n",
                           "3\r\nabc0\r\n\r\n",
                           "3\r\nabc\n\n0\r\n\r\n",
                           "3\r\nabc\r\r0\r\n\r\n",
                           "3\r\nabc\n\r0\r\n\r\n",
                           "3\r\nabcd\r\n0\r\n\r\n",
                           "3\r\nab\r\n0\r\n\r\n",
                           "2\r\nabc\r\n0\r\n\r\n",
                           "3\r\nabc\r\n\r\n0\r\n\r\n",
                           "3\r\nabc\r\n 0\r\n\r\n",
                           "3\r\nabc  0\r\n\r\n",
                           "3\r\nabcXX0\r\n\r\n",
                           "3;\r\nabc\r\n0\r\n\r\n",
                           "3; \r\nabc\r\n0\r\n\r\n",
                           "3;;\r\nabc\r\n0\r\n\r\n",
                           "3;=y\r\nabc\r\n0\r\n\r\n",
                           "3;x=\r\nabc\r\n0\r\n\r\n",
                           "3;x=y z\r\nabc\r\n0\r\n\r\n",
                           "3;x y\r\nabc\r\n0\r\n\r\n",
                           "3;x=\"y\r\nabc\r\n0\r\n\r\n",
                           "3;x=\"y\"z\r\nabc\r\n0\r\n\r\n",
                           "3;x\"\r\nabc\r\n0\r\n\r\n",
                           "3;x=\"\\\r\nabc\r\n0\r\n\r\n",
                           "3;x\nabc\r\n0\r\n\r\n",
                           "3;x\rabc\r\n0\r\n\r\n",
                           "3;x\x01\r\nabc\r\n0\r\n\r\n",
                           "3;x=\"\x01\"\r\nabc\r\n0\r\n\r\n",
                           "3;\xc3\xa9\r\nabc\r\n0\r\n\r\n",
                           "3 x\r\nabc\r\n0\r\n\r\n",
                           "3x\r\nabc\r\n0\r\n\r\n",
                           "00000000000000003\r\nabc\r\n0\r\n\r\n",
                           "10000000000000003\r\nabc\r\n0\r\n\r\n",
                           "0\n\n",
                           "0\r\n\n",
                           "0\n\r\n",
                           "0\r\n\rX",
                           "0\r\rX",
                           "0\r\nX\r\n\r\n",
                           "0\r\nX : y\r\n\r\n",
                           "0\r\n X: y\r\n\r\n",
                           "0\r\n: y\r\n\r\n",
                           "0\r\nX: y\r\n z\r\n\r\n",
                           "0\r\nX: y\nZ: w\r\n\r\n",
                           "0\r\nX: a\x01\r\n\r\n",
                           "0\r\nX: a\rb\r\n\r\n",
                           "0\r\nX(: y\r\n\r\n",
                           "0\r\nContent-Length: 5\r\n\r\n",
                           "0\r\nTransfer-Encoding: chunked\r\n\r\n",
                           "0\r\nHost: evil\r\n\r\n",
                           "0\r\ncontent-length: 5\r\n\r\n",
                           "0;\r\n\r\n",
                           "0 \r\n\r\n",
                           "-0\r\n\r\n",
                           "0x0\r\n\r\n",
                           "0h\r\n\r\n",
                           "\xef\xbc\x93\r\nabc\r\n0\r\n\r\n"})
    f.chunked(body + good, {any_4xx});
  f.chunked("0\r\nX: a\0\r\n\r\n"s, {any_4xx});
  f.chunked("3\0\r\nabc\r\n0\r\n\r\n"s, {any_4xx});
  f.chunked("\0"s, {any_4xx});
  for (const char* size : {"10001", "FFFFFFFF", "7fffffffffffffff", "8000000000000000",
                           "ffffffffffffffff", "FFFFFFFFFFFFFFFD", "fffffffffffffffe"})
    f.chunked(size + "\r\nabc\r\n0\r\n\r\n"s, {413});
  f.chunked("10000\r\n" + std::string(65536, 'x') + "\r\n0\r\n\r\n" + good, {200, 200});
  f.chunked("10000\r\n" + std::string(65536, 'x') + "\r\n1\r\nx\r\n0\r\n\r\n", {413});
  f.chunked("3;x=" + std::string(4000, 'y') + "\r\nabc\r\n0\r\n\r\n", {200});
  f.chunked("3;x=" + std::string(5000, 'y') + "\r\nabc\r\n0\r\n\r\n", {any_4xx});
  std::string many_extensions;
  for (int i = 0; i < 50; ++i)
    many_extensions += "1;" + std::string(100, 'y') + "\r\nz\r\n";
  f.chunked(many_extensions + "0\r\n\r\n", {any_4xx});
  f.chunked("0\r\nX: " + std::string(5000, 'y') + "\r\n\r\n", {431});
  f.chunked("3\r\nab", {});
  f.chunked("3", {});
  f.chunked("0\r\n", {});
  f.chunked("0\r\nX: y\r\n", {});
}

void add_sizes(family f) {
  const auto target = [](std::size_t octets) {
    return "GET /" + std::string(octets, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n";
  };
  // `GET /` and ` HTTP/1.1` are 14 octets of the 8192.
  f.add("request line of 8192", target(8178), {200});
  f.add("request line of 8193", target(8179), {414});
  f.add("request line of 100000", target(100'000), {414});
  f.add("method of 100000", std::string(100'000, 'A') + " / HTTP/1.1\r\nHost: h\r\n\r\n",
        {any_4xx});
  // `Host: h` + CRLF and `X: ` + CRLF are 14 octets of the 16384.
  const auto header = [](std::size_t octets) {
    return "GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(octets, 'a') + "\r\n\r\n";
  };
  f.add("headers of 16384", header(16384 - 14), {200});
  f.add("headers of 16385", header(16384 - 13), {431});
  f.add("header of 100000", header(100'000), {431});
  f.add("header name of 100000", "GET / HTTP/1.1\r\nHost: h\r\n" + std::string(100'000, 'a'),
        {431});
  for (const int n : {100, 101, 1000}) {
    std::string fields = "GET / HTTP/1.1\r\nHost: h\r\n";
    for (int i = 1; i < n; ++i)
      fields += "X: y\r\n";
    f.add("fields " + std::to_string(n), fields + "\r\n", {n == 100 ? 200 : 431});
  }
}

void add_pipelines(family f) {
  f.add("two", good + good, {200, 200});
  f.add("two with an empty line between", good + "\r\n" + good, {200, 200});
  f.add("close is the last", "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" + good,
        {200});
  f.add("1.0 is the last", "GET / HTTP/1.0\r\n\r\n" + good, {200});
  f.add("good then bad then good", good + "GET / HTTP/1.1\r\n\r\n" + good, {200, any_4xx});
  f.add("good then garbage", good + "garbage\r\n\r\n", {200, any_4xx});
  f.add("good then part", good + "GET /", {200});
  f.add("body then good", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n\r\n" + good,
        {200, 200});
  f.add("extra octet after a body",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nabc" + good, {200, any_4xx});
}

void add_smuggling(family f) {
  const std::string inner = "GET /admin HTTP/1.1\r\nHost: h\r\n\r\n";
  const auto head = [](const std::string& lines) {
    return "POST / HTTP/1.1\r\nHost: h\r\n" + lines + "\r\n";
  };
  f.add("CL.TE", head("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\nG",
        {any_4xx});
  f.add("TE.CL",
        head("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n") + "5c\r\n" + inner +
            "0\r\n\r\n",
        {any_4xx});
  for (const char* te :
       {"Transfer-Encoding: xchunked", "Transfer-Encoding : chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: x", "Transfer-Encoding:[tab]chunked",
        " Transfer-Encoding: chunked", "X: X\nTransfer-Encoding: chunked",
        "Transfer-Encoding\r\n: chunked", "Transfer-Encoding: chunked\r\nTransfer-encoding: cow",
        "Transfer-Encoding:\x0b"
        "chunked",
        "Transfer-Encoding: \"chunked\"", "Transfer-Encoding\t: chunked",
        "Transfer-Encoding: chunked\x0c", "Foo: bar\r\n\tTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked, identity"}) {
    f.add("TE.TE "s + te, head(te + "\r\n"s) + "0\r\n\r\n" + inner, {any_4xx});
    f.add("CL and "s + te, head("Content-Length: 5\r\n"s + te + "\r\n") + "0\r\n\r\n" + inner,
          {any_4xx});
  }
  f.add("CL.CL", head("Content-Length: 0\r\nContent-Length: 44\r\n") + inner, {any_4xx});
  f.add("CL list", head("Content-Length: 0, 44\r\n") + inner, {any_4xx});
  f.add("CL with a hidden one", head("Content-Length: 0\r\nX: y\rContent-Length: 44\r\n") + inner,
        {any_4xx});
  f.add("CL split by NUL",
        head("Content-Length: 4\0"
             "4\r\n"s) +
            inner,
        {any_4xx});
  f.add("request hidden in a value", "GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n\r\n" + inner,
        {200, 200});
  f.add("CR in a chunk extension",
        head("Transfer-Encoding: chunked\r\n") + "3;a\rb\r\nabc\r\n0\r\n\r\n", {any_4xx});
  f.add("LF in a chunk extension",
        head("Transfer-Encoding: chunked\r\n") + "3;a\nb\r\nabc\r\n0\r\n\r\n", {any_4xx});
  f.add("last chunk with content",
        head("Transfer-Encoding: chunked\r\n") + "0\r\nGET /admin HTTP/1.1\r\n\r\n", {any_4xx});
  f.add("overflowing chunk size", head("Transfer-Encoding: chunked\r\n") + "100000000000000000\r\n",
        {any_4xx});
  f.add("Expect obfuscated", head("Expect: y 100-continue\r\nContent-Length: 3\r\n") + "abc",
        {417});
  f.add("Expect twice", head("Expect: 100-continue\r\nExpect: 100-continue\r\n"), {417});
  f.add("Expect list", head("Expect: 100-continue, 100-continue\r\n"), {417});
  f.add("Expect empty", head("Expect:\r\n"), {417});
  f.add("Connection names a framing field",
        head("Connection: close, Content-Length\r\nContent-Length: 3\r\n") + "abc", {200});
}

} // namespace

const std::vector<raw_vector>& raw_vectors() {
  static const auto all = [] {
    std::vector<raw_vector> result;
    add_request_lines({result, "request line"});
    add_line_ends({result, "line end"});
    add_fields({result, "field"});
    add_hosts({result, "host"});
    add_content_lengths({result, "content-length"});
    add_transfer_encodings({result, "transfer-encoding"});
    add_chunks({result, "chunk"});
    add_sizes({result, "size"});
    add_pipelines({result, "pipeline"});
    add_smuggling({result, "smuggling"});
    return result;
  }();
  return all;
}

} // namespace assay::http::test
