#include "http/api/envelope.hpp"
#include "http/api/handlers/handlers.hpp"
#include "http/api/parameters.hpp"
#include "http/codec/allocation_codec.hpp"

namespace assay::http {
namespace {

namespace ask = parameters::portfolio;

void answer_portfolio(exchange& x, const portfolio_result& result) {
  std::string body;
  json_writer w(body);
  begin_answer(w);
  write_portfolio(w, result);
  write_disclaimer(w);
  if (result.note)
    w.member("note", *result.note);
  if (x.query.get<bool>(ask::explain)) {
    w.key("explain");
    write_portfolio_explanation(w, result.explanation);
  }
  w.end_object();
  x.answer(std::make_shared<const rendered_body>(std::move(body), false));
}

} // namespace

void serve_portfolio(const exchange_ptr& x) {
  portfolio_request request;
  request.tier = *from_string<risk_tier>(*x->query.get<std::string>(ask::risk_tier));
  request.principal_usd = *x->query.get<double>(ask::principal);
  if (const auto timeline = x->query.get<std::string>(ask::timeline))
    request.timeline = *from_string<assay::timeline>(*timeline);
  x->owner().behind->allocate(request,
                              make_sink<portfolio_result_ptr>(
                                  [x](const portfolio_result_ptr& result) {
                                    guarded(*x, [&] { answer_portfolio(*x, *result); });
                                  },
                                  [x](errc reason) { guarded(*x, [&] { x->refuse(reason); }); }));
}

} // namespace assay::http
