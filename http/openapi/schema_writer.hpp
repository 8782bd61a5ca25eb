#pragma once

#include "http/api/parameter.hpp"
#include "http/codec/json_writer.hpp"
#include "http/openapi/schema.hpp"

#include <vector>

namespace assay::http {

/// Writes a shape as JSON Schema 2020-12; a named one as a reference to its component.
void write_schema(json_writer& w, const schema& x);

/// Writes the component of a named shape.
void write_component(json_writer& w, const schema& x);

/// Writes what a parameter accepts.
void write_parameter_schema(json_writer& w, const parameter& p);

/// Appends `x` and every named shape inside it to `found`, each once, outermost first.
void collect_components(const schema& x, std::vector<const schema*>& found);

} // namespace assay::http
