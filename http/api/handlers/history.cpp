#include "http/api/envelope.hpp"
#include "http/api/handlers/handlers.hpp"
#include "http/api/parameters.hpp"
#include "http/codec/score_codec.hpp"

namespace assay::http {
namespace {

namespace ask = parameters::history;

/// The cursor of the first page; no archive gives it out.
constexpr std::string_view first_page = "start";

/// The span of time that ISO 8601 texts with four-digit years can name, with any offset.
constexpr time_point first_instant = std::chrono::sys_days{std::chrono::year{-1} / 12 / 31};
constexpr time_point last_instant = std::chrono::sys_days{std::chrono::year{10'000} / 1 / 2};

time_point instant_of(const parameter_values& v, const parameter& p, time_point fallback) {
  const auto text = v.get<std::string>(p);
  return text ? parse_iso8601(*text).value_or(fallback) : fallback;
}

void answer_history(exchange& x, const std::string& vault_id, const history_answer& a) {
  if (a.bad_cursor) {
    validation_errors errors;
    errors.add(ask::cursor.name, "must be the nextCursor of an earlier page");
    return x.refuse(errors);
  }
  std::string body;
  json_writer w(body);
  begin_answer(w);
  w.member("vaultId", vault_id).member("count", a.rows.size()).member("nextCursor", a.next_cursor);
  write_disclaimer(w);
  w.key("data").begin_array();
  for (const auto& row : a.rows)
    write_vault_factors(w, row);
  w.end_array().end_object();
  x.answer(std::make_shared<const rendered_body>(std::move(body), false));
}

} // namespace

void serve_partner_history(const exchange_ptr& x) {
  constexpr std::uint64_t default_limit = 100;
  history_request request;
  request.vault_id = *x->query.get<std::string>(ask::vault_id);
  request.from = instant_of(x->query, ask::from, first_instant);
  request.to = instant_of(x->query, ask::to, last_instant);
  request.limit = static_cast<int>(x->query.get<std::uint64_t>(ask::limit).value_or(default_limit));
  request.cursor = x->query.get<std::string>(ask::cursor).value_or(std::string(first_page));
  if (request.cursor == first_page)
    request.cursor.clear();
  if (request.from > request.to) {
    validation_errors errors;
    errors.add(ask::from.name, "must not be later than to");
    return x->refuse(errors);
  }
  const auto vault_id = request.vault_id;
  x->owner().behind->read_history(
      std::move(request), make_sink<history_answer>(
                              [x, vault_id](const history_answer& a) {
                                guarded(*x, [&] { answer_history(*x, vault_id, a); });
                              },
                              [x](errc reason) { guarded(*x, [&] { x->refuse(reason); }); }));
}

} // namespace assay::http
