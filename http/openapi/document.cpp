#include "http/openapi/document.hpp"

#include "http/api/endpoint.hpp"
#include "http/codec/json_writer.hpp"
#include "http/openapi/answer_schemas.hpp"
#include "http/openapi/schema_writer.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace assay::http {
namespace {

constexpr std::string_view prefix = "/v1";

constexpr std::string_view about =
    "Neutral scores of on-chain yield vaults: 16 factors in four pillars and a composite from 0 to "
    "100, a catalog with live APY and TVL, a mean-variance allocation engine, baskets, route "
    "verdicts, gas and live metrics. Research and information only, not investment advice.\n\n"
    "Limits: 60 requests in any 60 seconds per IPv4 address or IPv6 /64, 100 with a partner key; "
    "RateLimit-Limit says what this service allows. "
    "Answers to GET carry a strong ETag; If-None-Match gives 304. Bodies over 1 KiB come as gzip "
    "when Accept-Encoding asks. HEAD works wherever GET does; a slash at the end of a path changes "
    "nothing. Numbers in a query are JSON numbers in full; a known parameter that is empty or "
    "given twice is an error, and all faults are reported at once. Unknown query keys are "
    "ignored.\n\n"
    "Labels: composite >= 70 Conservative, >= 40 Balanced, else Aggressive. The composite is 0.20 "
    "yield + 0.40 safety + 0.20 liquidity + 0.20 sustainability, times the exploit multiplier. "
    "Scores are ex ante and immutable; they are refreshed every few hours.\n\n"
    "Outside /v1 and its limits: /health/live and /health/ready.";

struct header_rule {
  std::string_view name;
  std::string_view description;
  std::string_view schema;
};

constexpr std::array headers{
    header_rule{"X-Service-Disclaimer", "On every response.", R"({"type":"string"})"},
    header_rule{"X-Request-Id",
                "The request's own when it is 1 to 64 of `[A-Za-z0-9._-]`, else generated.",
                R"({"type":"string","pattern":"^[A-Za-z0-9._-]{1,64}$"})"},
    header_rule{"Access-Control-Allow-Origin", "On every response.",
                R"({"type":"string","enum":["*"]})"},
    header_rule{"Cache-Control", "`no-store`, or how long the answer stays fresh.",
                R"({"type":"string"})"},
    header_rule{"RateLimit-Limit", "Requests in any 60 seconds of the caller's bucket.",
                R"({"type":"integer","minimum":1})"},
    header_rule{"RateLimit-Remaining", "Requests left now.", R"({"type":"integer","minimum":0})"},
    header_rule{"RateLimit-Reset", "Seconds until a further request is free, rounded up.",
                R"({"type":"integer","minimum":0})"},
    header_rule{"ETag", "Strong validator of the body.", R"({"type":"string"})"},
    header_rule{"Vary", "What the representation depends on.", R"({"type":"string"})"},
    header_rule{"Retry-After", "Seconds to wait.", R"({"type":"integer","minimum":0})"},
    header_rule{"WWW-Authenticate", "Names the header that carries the key.",
                R"({"type":"string"})"},
};
constexpr std::size_t common_headers = 4;
constexpr std::size_t limit_headers = 7;

void refer_header(json_writer& w, std::string_view name) {
  w.key(name)
      .begin_object()
      .member("$ref", "#/components/headers/" + std::string(name))
      .end_object();
}

/// `limited`: the answer was given behind the limits, so it carries their headers.
void write_headers(json_writer& w, bool limited, std::initializer_list<std::string_view> more) {
  w.key("headers").begin_object();
  for (std::size_t i = 0; i < (limited ? limit_headers : common_headers); ++i)
    refer_header(w, headers[i].name);
  for (const auto name : more)
    refer_header(w, name);
  w.end_object();
}

class generator {
public:
  explicit generator(std::span<const captured_example> examples) : examples_(examples) {
    for (const auto& e : endpoints())
      if (e.path.starts_with(prefix) && e.id != endpoint_id::openapi)
        described_.push_back(&e);
  }

  std::string run() {
    json_writer w(text_);
    w.begin_object().member("openapi", "3.1.0").key("info").begin_object();
    w.member("title", "Vault Score and Allocation API").member("version", "1.0");
    w.member("summary", "Scores, catalog, allocation and route verdicts of yield vaults.");
    w.member("description", about);
    w.key("contact").begin_object().member("name", "The maintainers of assay").end_object();
    w.key("license").begin_object().member("name", "Apache 2.0");
    w.member("identifier", "Apache-2.0").end_object().end_object();
    w.key("servers").begin_array().begin_object().member("url", prefix);
    w.member("description", "The service that gave out this document.").end_object().end_array();
    write_tags(w);
    write_paths(w);
    write_components(w);
    w.end_object();
    return std::move(text_);
  }

private:
  void write_tags(json_writer& w) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> tags{{
        {"Scores", "Neutral scores, newest first."},
        {"Catalog", "The tracked vaults."},
        {"Allocation", "Portfolios and baskets: pure computations."},
        {"Vaults", "Route, metrics and factors of one vault."},
        {"Gas", "Gas prices of chains."},
        {"Partner", "For holders of a partner key."},
    }};
    w.key("tags").begin_array();
    for (const auto& [name, description] : tags)
      w.begin_object().member("name", name).member("description", description).end_object();
    w.end_array();
  }

  void write_paths(json_writer& w) {
    w.key("paths").begin_object();
    for (const auto* e : described_) {
      w.any_key(e->path.substr(prefix.size())).begin_object();
      w.key(e->verb == method::post ? "post" : "get");
      write_operation(w, *e);
      w.end_object();
    }
    w.end_object();
  }

  void write_operation(json_writer& w, const endpoint& e) {
    w.begin_object()
        .member("operationId", e.operation_id)
        .member("summary", e.summary)
        .member("description", e.description);
    w.key("tags").begin_array().value(e.tag).end_array();
    w.key("security").begin_array();
    if (!e.partner_only)
      w.begin_object().end_object();
    w.begin_object().key("apiKey").begin_array().end_array().end_object().end_array();
    write_parameters(w, e);
    if (e.body != nullptr) {
      w.key("requestBody").begin_object().member("required", true);
      w.member("description", "At most 64 KiB.");
      w.key("content").begin_object().key("application/json").begin_object().key("schema");
      write_schema(w, *e.body);
      w.key("example").raw(example_basket()).end_object().end_object().end_object();
    }
    write_responses(w, e);
    w.end_object();
  }

  static void write_parameter(json_writer& w, const parameter& p, std::string_view place) {
    w.begin_object().member("name", p.name).member("in", place);
    w.member("required", p.required || place == "path").member("description", p.description);
    if (p.kind == parameter_kind::symbols)
      w.member("style", "form").member("explode", false);
    w.key("schema");
    write_parameter_schema(w, p);
    if (p.kind == parameter_kind::symbols)
      w.key("example").begin_array().value("USDC").value("DAI").end_array();
    else if (!p.example.empty())
      w.key("example").raw(p.example);
    w.end_object();
  }

  static void write_parameters(json_writer& w, const endpoint& e) {
    if (e.path_parameters.empty() && e.query_parameters.empty())
      return;
    w.key("parameters").begin_array();
    for (const auto* p : e.path_parameters)
      write_parameter(w, *p, "path");
    for (const auto* p : e.query_parameters)
      write_parameter(w, *p, "query");
    w.end_array();
  }

  /// Writes the content of a response with the examples that were captured for it.
  void write_content(json_writer& w, const endpoint& e, int status, const schema& shape) {
    w.key("content").begin_object().key("application/json").begin_object().key("schema");
    write_schema(w, shape);
    const auto fits = [&](const captured_example& x) {
      return x.target == e.id && x.status == status;
    };
    if (std::any_of(examples_.begin(), examples_.end(), fits)) {
      w.key("examples").begin_object();
      for (const auto& x : examples_)
        if (fits(x))
          w.key(x.name)
              .begin_object()
              .member("summary", x.summary)
              .key("value")
              .raw(x.body)
              .end_object();
      w.end_object();
    }
    w.end_object().end_object();
  }

  void write_responses(json_writer& w, const endpoint& e) {
    w.key("responses").begin_object();
    w.key("200").begin_object().member("description", e.summary);
    if (e.cache == caching::none)
      write_headers(w, true, {});
    else
      write_headers(w, true, {"ETag", "Vary"});
    write_content(w, e, 200, *e.answer);
    w.end_object();
    if (e.cache != caching::none) {
      w.key("304").begin_object();
      w.member("description", "`If-None-Match` lists the ETag of what would be sent.");
      write_headers(w, true, {"ETag", "Vary"});
      w.end_object();
    }
    write_errors(w, e);
    w.end_object();
  }

  void write_errors(json_writer& w, const endpoint& e) {
    std::map<int, std::string> notes{
        {429, "`Rate limit exceeded`: Retry-After equals RateLimit-Reset."},
        {500, "`Internal error`: the log has the request id."}};
    if (e.cache != caching::none)
      notes[412] = "`Precondition failed`: `If-Match` does not list the ETag.";
    if (e.reads_input())
      notes[400] = "`Validation error`: every fault at once, by parameter.";
    for (const auto& note : e.statuses) {
      auto& text = notes[note.status];
      text += (text.empty() ? "`" : " `") + std::string(note.error) + "`: ";
      text += note.description;
    }
    for (const auto& [status, note] : notes) {
      w.key(std::to_string(status)).begin_object().member("description", note);
      const bool limited = status != 413 && status != 500 && status != 503;
      if (status == 429 || status == 503)
        write_headers(w, limited, {"Retry-After"});
      else if (status == 401)
        write_headers(w, limited, {"WWW-Authenticate"});
      else
        write_headers(w, limited, {});
      write_content(w, e, status,
                    status == 400 ? schemas::validation_answer : schemas::error_answer);
      w.end_object();
    }
  }

  void write_components(json_writer& w) {
    std::vector<const schema*> found;
    for (const auto* e : described_) {
      collect_components(*e->answer, found);
      if (e->body != nullptr)
        collect_components(*e->body, found);
    }
    collect_components(schemas::error_answer, found);
    collect_components(schemas::validation_answer, found);
    w.key("components").begin_object().key("schemas").begin_object();
    for (const auto* x : found) {
      w.key(x->name);
      write_component(w, *x);
    }
    w.end_object().key("headers").begin_object();
    for (const auto& h : headers)
      w.key(h.name)
          .begin_object()
          .member("description", h.description)
          .member("required", true)
          .key("schema")
          .raw(h.schema)
          .end_object();
    w.end_object().key("securitySchemes").begin_object().key("apiKey").begin_object();
    w.member("type", "apiKey").member("in", "header").member("name", "x-api-key");
    w.member("description", "Partner key. Optional on public endpoints, where an unknown one "
                            "counts as none.");
    w.end_object().end_object().end_object();
  }

  std::span<const captured_example> examples_;
  /// What is under /v1 but this document itself.
  std::vector<const endpoint*> described_;
  std::string text_;
};

} // namespace

std::string openapi_document(std::span<const captured_example> examples) {
  return generator(examples).run();
}

std::string openapi_document() {
  return openapi_document(capture_examples());
}

} // namespace assay::http
