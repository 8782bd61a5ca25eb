#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::http {

/// Every fault of one request, collected before it is answered with 400.
class validation_errors {
public:
  /// A fault of the request as a whole.
  void add_form(std::string message) { form_.push_back(std::move(message)); }

  /// A fault of one parameter, or of a place in the body (`positions[3].weight`).
  void add(std::string_view field, std::string message);

  bool empty() const noexcept { return form_.empty() && fields_.empty(); }

  const std::vector<std::string>& form() const noexcept { return form_; }
  /// In the order in which the fields were first faulted.
  const std::vector<std::pair<std::string, std::vector<std::string>>>& fields() const noexcept {
    return fields_;
  }

private:
  std::vector<std::string> form_;
  std::vector<std::pair<std::string, std::vector<std::string>>> fields_;
};

} // namespace assay::http
