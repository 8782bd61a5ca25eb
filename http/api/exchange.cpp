#include "http/api/exchange.hpp"

#include "http/api/envelope.hpp"
#include "http/api/negotiation.hpp"
#include "http/pages/error_page.hpp"
#include "http/pages/frame.hpp"

#include <algorithm>
#include <chrono>

namespace assay::http {
namespace {

constexpr std::string_view json_type = "application/json";
constexpr std::string_view no_store = "Cache-Control: no-store\r\n";
/// Smaller bodies gain nothing from compression.
constexpr std::size_t gzip_min = 1024;

void append_cache_control(std::string& out, caching mode, time_point now, time_point fresh_until) {
  const auto left = std::chrono::floor<std::chrono::seconds>(fresh_until - now).count();
  out.append("Cache-Control: ").append(mode == caching::partner ? "private" : "public");
  out.append(", max-age=").append(std::to_string(std::max<std::int64_t>(left, 0))).append("\r\n");
  // A partner's answer must never be given to somebody without the key.
  out.append(mode == caching::partner ? "Vary: Accept-Encoding, x-api-key\r\n"
                                      : "Vary: Accept-Encoding\r\n");
}

std::optional<std::string_view> sent_id(const request& r) {
  return r.count("x-request-id") == 1 ? r.find("x-request-id") : std::nullopt;
}

} // namespace

exchange::exchange(std::shared_ptr<service> owner, request&& message, reply&& out)
    : owner_(std::move(owner)),
      message_(std::move(message)),
      out_(std::move(out)),
      id_(request_id_of(sent_id(message_))) {
  owner_->in_flight.fetch_add(1, std::memory_order_relaxed);
}

exchange::~exchange() {
  owner_->in_flight.fetch_sub(1, std::memory_order_relaxed);
}

std::string exchange::headers_for(std::size_t extra) const {
  constexpr std::size_t usual = 768;
  std::string headers;
  headers.reserve(usual + extra);
  append_common_headers(headers, id_,
                        target != nullptr && target->is_page()
                            ? std::string_view(pages::content_policy())
                            : std::string_view());
  if (limits)
    append_limit_headers(headers, *limits);
  return headers;
}

void exchange::send(int status, std::string_view content_type, std::string&& headers,
                    std::shared_ptr<const std::string> body,
                    std::shared_ptr<const memory_file> file) {
  if (owner_->config.on_answer)
    owner_->config.on_answer({message_, id_, target, status, body ? body->size() : 0,
                              std::chrono::steady_clock::now() - message_.arrived_at()});
  response answer;
  answer.status = status;
  answer.content_type = content_type;
  answer.headers = std::move(headers);
  answer.body = std::move(body);
  answer.file = std::move(file);
  out_.send(answer);
}

void exchange::send_error(int status, std::string_view error, std::string&& headers,
                          const validation_errors& errors) {
  if (target == nullptr || !target->is_page())
    return send(status, json_type, std::move(headers),
                std::make_shared<const std::string>(errors.empty() ? error_body(error)
                                                                   : validation_body(errors)));
  auto lines = errors.form();
  for (const auto& [name, messages] : errors.fields())
    for (const auto& message : messages)
      lines.push_back(name + ": " + message);
  send(status, target->media_type, std::move(headers),
       std::make_shared<const std::string>(
           pages::error_page(status, error, lines, disclaimer_text)));
}

void exchange::answer(const body_ptr& body, time_point fresh_until, int status) {
  give(body, fresh_until, status, false);
}

void exchange::give(const body_ptr& body, time_point fresh_until, int status, bool kept) {
  auto headers = headers_for(0);
  const bool packs = body->text()->size() > gzip_min;
  const auto packed = packs && wants_gzip(message_) ? body->gzip() : nullptr;
  if (target->cache == caching::none || body->tag().empty()) {
    headers += no_store;
    if (packs)
      headers += "Vary: Accept-Encoding\r\n";
  } else {
    const auto& tag = packed ? body->gzip_tag() : body->tag();
    if (fails_match(message_, tag))
      return refuse(412, "Precondition failed");
    append_cache_control(headers, target->cache, owner_->config.clock(), fresh_until);
    headers.append("ETag: ").append(tag).append("\r\n");
    if (matches_none_match(message_, tag))
      return send(304, {}, std::move(headers), nullptr);
  }
  if (packed) {
    headers += "Content-Encoding: gzip\r\n";
    return send(status, target->media_type, std::move(headers), packed);
  }
  send(status, target->media_type, std::move(headers), body->text(), kept ? body->file() : nullptr);
}

void exchange::answer_remembered(const engine::snapshot& s, std::string_view key,
                                 const std::function<body_ptr()>& make) {
  const auto body = owner_->remembered.find_or_make(s.id(), key, make);
  // What needs a key is not known by its target alone.
  if (target->cache == caching::until_refresh)
    owner_->known.keep(s.id(), message_.target(), {target, body, s.next_refresh()});
  give(body, s.next_refresh(), 200, true);
}

bool exchange::answer_known() {
  if (message_.verb() != method::get && message_.verb() != method::head)
    return false;
  const auto newest = owner_->behind->newest_snapshot();
  const auto found = owner_->known.find(newest, message_.target());
  if (!found)
    return false;
  target = found->target;
  give(found->body, found->fresh_until, 200, true);
  return true;
}

void exchange::refuse(int status, std::string_view error,
                      std::optional<std::int64_t> retry_after_s) {
  auto headers = headers_for(64);
  headers += no_store;
  if (retry_after_s)
    headers.append("Retry-After: ").append(std::to_string(*retry_after_s)).append("\r\n");
  send_error(status, error, std::move(headers));
}

void exchange::refuse(const validation_errors& errors) {
  auto headers = headers_for(0);
  headers += no_store;
  send_error(400, "Validation error", std::move(headers), errors);
}

void exchange::refuse(errc reason) {
  constexpr std::int64_t starting_s = 5;
  constexpr std::int64_t stale_min_s = 30;
  switch (reason) {
  case errc::not_ready:
    if (target == nullptr || target->id != endpoint_id::portfolio)
      return refuse(503, "Service not ready", starting_s);
    [[fallthrough]];
  case errc::stale_scores:
    return refuse(503, "Scoring data is stale",
                  std::max(stale_min_s, owner_->behind->seconds_to_next_scoring()));
  case errc::overloaded:
  case errc::timed_out:
  case errc::actor_down:
  case errc::store_unavailable: return refuse(503, "Service overloaded", 1);
  case errc::none:
  case errc::unknown_vault:
  case errc::internal: break;
  }
  refuse(500, "Internal error");
}

void exchange::refuse_with(int status, std::string_view error, std::string_view header_line) {
  auto headers = headers_for(header_line.size());
  headers.append(no_store).append(header_line);
  send_error(status, error, std::move(headers));
}

void exchange::refuse_method(std::string_view allow) {
  refuse_with(405, "Method not allowed", "Allow: " + std::string(allow) + "\r\n");
}

void exchange::answer_options(std::string_view allow) {
  auto headers = headers_for(256);
  headers.append("Allow: ").append(allow);
  headers.append("\r\nAccess-Control-Allow-Methods: ").append(allow);
  headers.append("\r\nAccess-Control-Allow-Headers: ").append(cors_allow_headers);
  headers.append("\r\nAccess-Control-Max-Age: 86400\r\n");
  send(204, {}, std::move(headers), nullptr);
}

} // namespace assay::http
