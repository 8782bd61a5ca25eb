#include "http/api/envelope.hpp"
#include "http/api/handlers/handlers.hpp"

namespace assay::http {
namespace {

template <class T>
void write_text_or_null(json_writer& w, std::string_view key, const T& text) {
  w.key(key);
  if (text.empty())
    w.null();
  else
    w.value(text);
}

std::string render_health(const health_report& h) {
  std::string body;
  json_writer w(body);
  w.begin_object()
      .member("success", h.ready)
      .member("status", h.ready ? "ready" : "not ready")
      .member("dataset", h.dataset)
      .member("archive", h.archive)
      .member("vaults", h.vaults)
      .member("liveVaults", h.live_vaults)
      .member("scoreRows", h.score_rows)
      .member("scoredAt", h.scored_at)
      .member("nextScoringAt", h.next_scoring_at)
      .key("feeds")
      .begin_array();
  for (const auto& f : h.feeds) {
    w.begin_object().member("name", f.name).member("lastSuccess", f.last_success);
    write_text_or_null(w, "problem", f.problem);
    w.member("faults", f.faults).member("quarantined", f.quarantined);
    write_text_or_null(w, "quarantineReason", f.quarantine_reason);
    w.end_object();
  }
  w.end_array().key("problems").begin_object();
  for (const auto& [part, text] : h.problems)
    w.any_key(part).value(text);
  w.end_object();
  write_disclaimer(w);
  w.end_object();
  return body;
}

} // namespace

void serve_document(const exchange_ptr& x) {
  // It changes with the program only; an hour is short enough for an upgrade to show.
  x->answer(x->owner().document, x->owner().config.clock() + std::chrono::hours{1});
}

void serve_live(const exchange_ptr& x) {
  std::string body;
  json_writer w(body);
  begin_answer(w);
  w.member("status", "live");
  write_disclaimer(w);
  w.end_object();
  x->answer(std::make_shared<const rendered_body>(std::move(body), false));
}

void serve_ready(const exchange_ptr& x) {
  const auto report = x->owner().behind->health();
  x->answer(std::make_shared<const rendered_body>(render_health(report), false), {},
            report.ready ? 200 : 503);
}

} // namespace assay::http
