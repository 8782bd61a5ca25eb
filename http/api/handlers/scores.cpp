#include "http/api/envelope.hpp"
#include "http/api/handlers/handlers.hpp"
#include "http/api/parameters.hpp"
#include "http/codec/score_codec.hpp"

namespace assay::http {
namespace {

namespace ask = parameters::scores;

engine::score_query question_of(const parameter_values& v) {
  engine::score_query q;
  q.chain = v.get<std::uint64_t>(parameters::chain_id);
  q.protocol = v.get<std::string>(parameters::protocol_id);
  q.address = v.get<std::string>(ask::address);
  q.assets = v.get<std::vector<std::string>>(ask::asset).value_or(std::vector<std::string>{});
  q.min_score = v.get<double>(ask::min_score);
  q.min_tvl_usd = v.get<double>(ask::min_tvl);
  q.min_apy = v.get<double>(ask::min_apy);
  q.routable = v.get<bool>(ask::routable).value_or(false);
  q.exclude_fallback = v.get<bool>(ask::exclude_fallback).value_or(false);
  q.explain = v.get<bool>(ask::explain).value_or(false);
  if (const auto sort = v.get<std::string>(ask::sort))
    q.order = *sort == "composite" ? engine::row_order::composite
              : *sort == "apy"     ? engine::row_order::apy
                                   : engine::row_order::tvl;
  if (const auto limit = v.get<std::uint64_t>(ask::limit))
    q.limit = static_cast<std::uint32_t>(*limit);
  return q;
}

struct echo {
  json_writer& w;

  void operator()(std::monostate) const {}
  void operator()(std::uint64_t x) const { w.value(x); }
  void operator()(double x) const { w.value(x); }
  void operator()(bool x) const { w.value(x); }
  void operator()(const std::string& x) const { w.value(x); }
  void operator()(const std::vector<std::string>& x) const {
    w.begin_array();
    for (const auto& item : x)
      w.value(item);
    w.end_array();
  }
};

/// Writes every parameter that was honoured, with its parsed value.
void write_applied(json_writer& w, const parameter_values& v) {
  w.key("applied").begin_object();
  for (std::size_t i = 0; i < v.table().size(); ++i)
    if (!std::holds_alternative<std::monostate>(v.at(i))) {
      w.key(v.table()[i]->name);
      std::visit(echo{w}, v.at(i));
    }
  w.end_object();
}

std::string render(const exchange& x, const scores_answer& a) {
  const auto& s = *a.snapshot;
  const bool compact = x.query.get<std::string>(ask::fields).has_value();
  const auto& fragments = compact ? s.compact() : s.full();
  constexpr std::size_t around = 1024;
  std::string body;
  body.reserve(fragment_bytes(fragments, a.result.rows) + around);
  json_writer w(body);
  begin_answer(w);
  w.member("scorerVersion", s.scorer_version())
      .member("count", a.result.rows.size())
      .member("total", a.result.total);
  write_applied(w, x.query);
  if (!x.ignored.empty()) {
    w.key("ignoredParams");
    echo{w}(x.ignored);
  }
  if (a.result.explanation) {
    w.key("explain");
    write_explanation(w, s, a.result);
  }
  write_disclaimer(w);
  w.key("data").begin_array();
  write_fragments(w, fragments, a.result.rows);
  w.end_array().end_object();
  return body;
}

/// The name under which an answer is remembered; empty when it is not: only questions without a
/// filter, which many ask and whose answers are large.
std::string memory_key(const exchange& x) {
  const auto& v = x.query;
  if (!x.ignored.empty())
    return {};
  for (std::size_t i = 0; i < v.table().size(); ++i)
    if (v.table()[i] != &ask::sort && v.table()[i] != &ask::fields &&
        !std::holds_alternative<std::monostate>(v.at(i)))
      return {};
  return "scores:" + v.get<std::string>(ask::sort).value_or("") + ':' +
         v.get<std::string>(ask::fields).value_or("");
}

void answer_scores(exchange& x, const scores_answer& a) {
  const auto make = [&]() -> body_ptr {
    return std::make_shared<const rendered_body>(render(x, a));
  };
  const auto key = memory_key(x);
  if (key.empty())
    return x.answer(make(), a.snapshot->next_refresh());
  x.answer_remembered(*a.snapshot, key, make);
}

} // namespace

void serve_scores(const exchange_ptr& x) {
  x->owner().behind->query_scores(
      question_of(x->query),
      make_sink<scores_answer>(
          [x](const scores_answer& a) { guarded(*x, [&] { answer_scores(*x, a); }); },
          [x](errc reason) { guarded(*x, [&] { x->refuse(reason); }); }));
}

} // namespace assay::http
