#include "engine/basket/basket.hpp"
#include "http/api/basket_body.hpp"
#include "http/api/envelope.hpp"
#include "http/api/handlers/handlers.hpp"
#include "http/codec/allocation_codec.hpp"

namespace assay::http {
namespace {

bool is_json(std::string_view type) noexcept {
  type = type.substr(0, type.find(';'));
  while (!type.empty() && (type.back() == ' ' || type.back() == '\t'))
    type.remove_suffix(1);
  return engine::lower_ascii(type) == "application/json";
}

/// Whether the body comes as it is: coded ones are not decoded here.
bool is_plain(const request& r) noexcept {
  for (std::size_t i = 0; i < r.field_count(); ++i)
    if (const auto f = r.field_at(i); f.name == "content-encoding" && !f.value.empty() &&
                                      engine::lower_ascii(f.value) != "identity")
      return false;
  return true;
}

std::optional<engine::basket_vault> vault_at(const engine::snapshot& s, chain_id chain,
                                             std::string_view address) {
  const auto row = s.find(chain, address);
  if (!row)
    return std::nullopt;
  const auto& v = s.at(*row);
  engine::basket_vault found;
  found.vault_id = v.row->vault_id;
  found.protocol_id = v.row->protocol_id;
  if (v.live)
    found.name = v.vault->name;
  found.asset = v.row->asset;
  found.composite = v.row->composite;
  found.label = v.row->label;
  found.pillar_scores = v.row->pillar_scores;
  found.apy = v.apy;
  found.tvl_usd = v.tvl_usd;
  found.quality = v.row->quality;
  found.scored_at = v.row->scored_at;
  return found;
}

void answer_basket(exchange& x, const engine::snapshot& s,
                   const std::vector<engine::basket_position>& positions) {
  const auto result = engine::score_basket(
      positions,
      [&](chain_id chain, std::string_view address) { return vault_at(s, chain, address); },
      x.owner().config.labels);
  std::string body;
  json_writer w(body);
  begin_answer(w);
  write_disclaimer(w);
  w.member("scorerVersion", s.scorer_version())
      .member("generatedAt", x.owner().config.clock())
      .key("basket");
  write_basket(w, result);
  w.key("positions").begin_array();
  for (const auto& item : result.items)
    write_basket_item(w, item);
  w.end_array().end_object();
  x.answer(std::make_shared<const rendered_body>(std::move(body), false));
}

} // namespace

void serve_basket(const exchange_ptr& x) {
  const auto& message = x->message();
  if (message.count("content-type") != 1 || !is_json(*message.find("content-type")))
    return x->refuse(415, "Unsupported media type");
  if (!is_plain(message))
    return x->refuse_with(415, "Unsupported media type", "Accept-Encoding: identity\r\n");
  validation_errors errors;
  auto positions = read_basket_body(message.body(), errors);
  // What is no JSON at all is told so, whatever its length; the reader stops at the first fault.
  if (errors.form().empty() && message.body().size() > x->owner().config.body_bytes_max)
    return x->refuse(413, "Payload too large");
  if (!errors.empty())
    return x->refuse(errors);
  with_readings(x, [x, positions = std::move(positions)](const readings& r) {
    answer_basket(*x, *r.snapshot, positions);
  });
}

} // namespace assay::http
