#include "http/api/envelope.hpp"
#include "http/api/handlers/handlers.hpp"
#include "http/api/parameters.hpp"
#include "http/codec/score_codec.hpp"

namespace assay::http {
namespace {

std::string render_catalog(const engine::snapshot& s, std::optional<chain_id> chain,
                           const std::optional<std::string>& protocol) {
  const auto& c = s.catalog();
  std::vector<std::uint32_t> kept;
  for (std::uint32_t i = 0; i < c.vault.size(); ++i)
    if ((!chain || c.chain[i] == *chain) && (!protocol || c.vault[i]->protocol_id == *protocol))
      kept.push_back(i);
  constexpr std::size_t around = 256;
  std::string body;
  body.reserve(fragment_bytes(c.fragments, kept) + around);
  json_writer w(body);
  begin_answer(w);
  w.member("count", kept.size());
  write_disclaimer(w);
  w.key("data").begin_array();
  write_fragments(w, c.fragments, kept);
  w.end_array().end_object();
  return body;
}

std::string render_factors(const score_row& row) {
  constexpr std::size_t usual = 4096;
  std::string body;
  body.reserve(usual);
  json_writer w(body);
  begin_answer(w);
  write_disclaimer(w);
  w.key("data");
  write_vault_factors(w, row);
  w.end_object();
  return body;
}

std::string render_all_factors(const engine::snapshot& s) {
  constexpr std::size_t usual = 4096;
  std::string body;
  body.reserve(s.size() * usual);
  json_writer w(body);
  begin_answer(w);
  w.member("scorerVersion", s.scorer_version()).member("count", s.size());
  write_disclaimer(w);
  w.key("data").begin_array();
  for (engine::row_number i = 0; i < s.size(); ++i)
    write_vault_factors(w, *s.at(i).row);
  w.end_array().end_object();
  return body;
}

body_ptr rendered(std::string text) {
  return std::make_shared<const rendered_body>(std::move(text));
}

} // namespace

void serve_catalog(const exchange_ptr& x) {
  with_readings(x, [x](const readings& r) {
    const auto& s = *r.snapshot;
    const auto chain = x->query.get<std::uint64_t>(parameters::chain_id);
    const auto protocol = x->query.get<std::string>(parameters::protocol_id);
    const auto make = [&] { return rendered(render_catalog(s, chain, protocol)); };
    if (chain || protocol)
      return x->answer(make(), s.next_refresh());
    x->answer_remembered(s, "catalog", make);
  });
}

void serve_factors(const exchange_ptr& x) {
  with_readings(x, [x](const readings& r) {
    const auto& s = *r.snapshot;
    const auto row = s.find(*x->path.get<std::uint64_t>(parameters::path_chain_id),
                            *x->path.get<std::string>(parameters::path_address));
    if (!row)
      return x->refuse(404, "No score found for this vault");
    x->answer_remembered(s, "factors:" + std::to_string(*row),
                         [&] { return rendered(render_factors(*s.at(*row).row)); });
  });
}

void serve_partner_factors(const exchange_ptr& x) {
  with_readings(x, [x](const readings& r) {
    const auto& s = *r.snapshot;
    x->answer_remembered(s, "partner-factors", [&] { return rendered(render_all_factors(s)); });
  });
}

} // namespace assay::http
