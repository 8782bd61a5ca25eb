#include "http/pages/frame.hpp"

#include <array>

#include <openssl/evp.h>
#include <openssl/sha.h>

namespace assay::http::pages {
namespace {

constexpr std::string_view style = R"(
:root{color-scheme:light dark;--ink:#1a1d21;--dim:#59616b;--paper:#fff;--line:#d9dde2;--fill:#eef0f3;--bar:#1f6f5c;--link:#0b57a4}
@media(prefers-color-scheme:dark){:root{--ink:#e7e9ec;--dim:#a2abb6;--paper:#14171a;--line:#343a41;--fill:#22272c;--bar:#4fb99c;--link:#8bbcf5}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:54rem;padding:1rem 1.1rem 2.5rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}
nav{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;padding-bottom:.6rem;border-bottom:1px solid var(--line)}
nav a:first-child{font-weight:700}
h1{font-size:1.7rem;line-height:1.2;margin:1.4rem 0 .4rem}
h2{font-size:1.2rem;margin:2.2rem 0 .6rem;padding-top:.6rem;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:1.6rem 0 .4rem}
p{margin:.5rem 0}
.dim,small,caption,footer{color:var(--dim)}
.score{font-size:2.6rem;font-weight:700;line-height:1.1}
.score span{font-size:1rem;font-weight:400;color:var(--dim)}
dl{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;gap:.25rem 1rem;margin:.6rem 0}
dt{color:var(--dim)}
dd{margin:0}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.5rem 0}
caption{text-align:left;padding-bottom:.3rem}
th,td{padding:.3rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400;overflow-wrap:normal}
thead th,tr.sum th{font-weight:600}
tr.sum{background:var(--fill)}
.wide th,.points td{white-space:nowrap}
.factors{width:100%}
.factors td{text-align:right;white-space:nowrap}
.factors th small{display:block;overflow-wrap:anywhere}
.factors thead th+th{text-align:right}
tr.sum small{font-weight:400}
.contents{columns:3 12rem}
.bars{width:100%}
.bars td:last-child{text-align:right}
.bars td:nth-child(2){width:60%}
meter{display:block;width:100%;height:.8rem;margin-top:.35rem;appearance:none;border:0;background:var(--fill)}
meter::-webkit-meter-inner-element{display:block}
meter::-webkit-meter-bar{height:.8rem;border:0;border-radius:.2rem;background:var(--fill)}
meter::-webkit-meter-optimum-value{background:var(--bar);border-radius:.2rem}
meter::-moz-meter-bar{background:var(--bar)}
code,pre{font:.9em/1.5 ui-monospace,monospace}
pre{background:var(--fill);padding:.7rem;overflow-x:auto;border-radius:.3rem}
footer{margin-top:2.5rem;padding-top:.8rem;border-top:1px solid var(--line);font-size:.9rem}
@media(max-width:32rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.45rem}th,td{padding:.3rem .35rem}.factors{font-size:.85rem}}
@media print{nav{display:none}}
)";

std::string hash_of_style() {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(style.data()), style.size(), digest.data());
  // Four characters for every three octets begun, and the NUL that OpenSSL writes.
  std::array<unsigned char, 45> text{};
  const int length = EVP_EncodeBlock(text.data(), digest.data(), SHA256_DIGEST_LENGTH);
  return {text.data(), text.data() + length};
}

} // namespace

const std::string& content_policy() {
  static const std::string policy = "default-src 'none'; style-src 'sha256-" + hash_of_style() +
                                    "'; base-uri 'none'; form-action 'none'; "
                                    "frame-ancestors 'none'";
  return policy;
}

std::string frame(const page_head& head, std::string_view disclaimer, std::string_view body) {
  html_builder b;
  b.raw("<!DOCTYPE html>\n").open("html", {{"lang", "en"}}).open("head");
  b.leaf("meta", {{"charset", "utf-8"}});
  b.leaf("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  b.element("title", head.title);
  b.leaf("meta", {{"name", "description"}, {"content", head.description}});
  if (head.canonical.empty())
    b.leaf("meta", {{"name", "robots"}, {"content", "noindex"}});
  else
    b.leaf("link", {{"rel", "canonical"}, {"href", head.canonical}});
  b.open("style").raw(style).close().close().open("body");
  b.open("nav", {{"aria-label", "Service"}});
  b.link("/", "assay").link("/methodology", "Methodology");
  b.link("/v1/openapi.json", "API description").link("/health/ready", "State").close();
  b.open("main").raw(body).close();
  b.open("footer").element("p", disclaimer).close();
  return std::move(b.close().close()).finish();
}

} // namespace assay::http::pages
