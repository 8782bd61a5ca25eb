#include "http/api/validation_errors.hpp"

#include <algorithm>

namespace assay::http {

void validation_errors::add(std::string_view field, std::string message) {
  const auto i = std::find_if(fields_.begin(), fields_.end(),
                              [&](const auto& entry) { return entry.first == field; });
  if (i != fields_.end())
    i->second.push_back(std::move(message));
  else
    fields_.emplace_back(std::string(field), std::vector{std::move(message)});
}

} // namespace assay::http
