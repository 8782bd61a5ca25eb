// Which documented fields of successful answers never showed, with which types and values.

/// Lists the fields that the document has for a 200 but that no answer had.
export function unseenFields(document, answers) {
  const seen = new Map();
  for (const answer of answers.filter((a) => a.status === 200 && a.json)) {
    const operation = document.operationOf(answer.method, answer.target);
    if (!operation) continue;
    const paths = seen.get(operation) ?? new Set();
    collect(answer.json, '', paths);
    seen.set(operation, paths);
  }
  const missing = [];
  for (const operation of document.operations) {
    const schema = operation.responses['200']?.content?.['application/json']?.schema;
    if (!schema) continue;
    const paths = seen.get(operation) ?? new Set();
    for (const path of documented(document, schema, ''))
      if (!paths.has(path)) missing.push(`${operation.method} ${operation.path}: ${path}`);
  }
  return missing;
}

function collect(value, path, paths) {
  if (path) paths.add(path);
  if (Array.isArray(value)) for (const item of value) collect(item, `${path}[]`, paths);
  else if (value && typeof value === 'object') for (const [name, item] of Object.entries(value)) collect(item, `${path}.${name}`, paths);
}

function* documented(document, reference, path) {
  const schema = document.resolve(reference);
  for (const list of ['allOf', 'anyOf', 'oneOf'])
    for (const item of schema[list] ?? []) yield* documented(document, item, path);
  for (const [name, item] of Object.entries(schema.properties ?? {})) {
    yield `${path}.${name}`;
    yield* documented(document, item, `${path}.${name}`);
  }
  if (schema.items) yield* documented(document, schema.items, `${path}[]`);
}
