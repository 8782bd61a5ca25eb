// The service's OpenAPI document: its operations, and strict validators for what it promises.

import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'];
/// Applied to the same place of an instance, so only the outermost schema may close the object.
const IN_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'];
const IN_PLACE = ['if', 'then', 'else', 'not'];

export class ApiDocument {
  #ajv = addFormats(new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true }));
  #validators = new Map();
  #openValidators = new Map();

  constructor(json) {
    this.json = json;
    // Keywords of OpenAPI's dialect that say nothing about an instance.
    for (const keyword of ['example', 'xml', 'externalDocs', 'discriminator']) this.#ajv.addKeyword(keyword);
    const prefix = (json.servers?.[0]?.url ?? '').replace(/^https?:\/\/[^/]+/, '').replace(/\/$/, '');
    this.operations = [];
    for (const [path, item] of Object.entries(json.paths)) {
      for (const method of METHODS.filter((name) => item[name])) {
        const operation = item[method];
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((p) => this.resolve(p));
        this.operations.push({
          id: operation.operationId,
          method: method.toUpperCase(),
          path,
          template: prefix + path,
          pattern: new RegExp(`^${(prefix + path).replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
          parameters,
          requestBody: this.resolve(operation.requestBody),
          responses: Object.fromEntries(
            Object.entries(operation.responses).map(([status, response]) => [status, this.resolve(response)]),
          ),
        });
      }
    }
  }

  /// Follows `$ref` of one object until it is the thing itself.
  resolve(node) {
    let at = node;
    while (at && typeof at === 'object' && '$ref' in at) {
      at = at.$ref
        .replace(/^#\//, '')
        .split('/')
        .reduce((parent, key) => parent?.[key.replace(/~1/g, '/').replace(/~0/g, '~')], this.json);
      if (at === undefined) throw new Error(`nothing at ${node.$ref}`);
    }
    return at;
  }

  /// The operation that serves a request, or undefined. HEAD is answered as GET is.
  operationOf(method, target) {
    const path = target.split('?')[0];
    const wanted = method === 'HEAD' ? 'GET' : method;
    return this.operations.find((op) => op.method === wanted && op.pattern.test(path));
  }

  /// Problems of one exchange against the document: undocumented status, media type or field,
  /// missing field or header, wrong value. Empty when it keeps every promise.
  problemsOf(answer) {
    const where = `${answer.method} ${answer.target.slice(0, 160)} -> ${answer.status}`;
    const operation = this.operationOf(answer.method, answer.target);
    if (!operation) return [`${where}: no such operation in the document`];
    const response = operation.responses[answer.status] ?? operation.responses.default;
    if (!response) return [`${where}: ${operation.id} does not document this status`];
    const problems = this.#headerProblems(response, answer);
    const bodyless = answer.method === 'HEAD' || answer.status === 304 || answer.status === 204;
    if (bodyless) {
      if (answer.body.length > 0) problems.push('a body where there is none by definition');
    } else {
      problems.push(...this.#bodyProblems(response, answer));
    }
    return problems.map((problem) => `${where}: ${problem}`);
  }

  /// A validator of `schema` in which every object is closed, so that an undocumented field fails.
  closedValidator(schema) {
    if (!this.#validators.has(schema)) {
      const closed = this.#close(schema, false);
      this.#validators.set(schema, this.#ajv.compile(closed));
    }
    return this.#validators.get(schema);
  }

  /// Problems of a value against a schema of the document, one text each; unlisted fields count.
  valueProblems(schema, value) {
    return this.#problems(this.closedValidator(schema), value);
  }

  /// The same as the document stands, for what clients send: unlisted fields are theirs to add.
  openProblems(schema, value) {
    if (!this.#openValidators.has(schema))
      this.#openValidators.set(schema, this.#ajv.compile(this.#close(schema, true, [], true)));
    return this.#problems(this.#openValidators.get(schema), value);
  }

  #problems(validate, value) {
    if (validate(value)) return [];
    return validate.errors.map((error) => {
      const extra = error.params?.unevaluatedProperty ?? error.params?.additionalProperty ?? error.params?.allowedValue ?? '';
      return `${error.instancePath || '/'} ${error.message} ${extra}`.trim();
    });
  }

  #headerProblems(response, answer) {
    const problems = [];
    for (const [name, reference] of Object.entries(response.headers ?? {})) {
      const header = this.resolve(reference);
      const value = answer.headers[name.toLowerCase()];
      if (value === undefined) {
        if (header.required) problems.push(`header ${name} is missing`);
        continue;
      }
      const schema = this.resolve(header.schema);
      const numeric = ['integer', 'number'].includes(schema.type);
      for (const problem of this.valueProblems(header.schema, numeric ? Number(value) : value))
        problems.push(`header ${name}: ${value}: ${problem}`);
    }
    return problems;
  }

  #bodyProblems(response, answer) {
    const type = (answer.headers['content-type'] ?? '').split(';')[0].trim();
    const media = response.content?.[type];
    if (!media) return [`the document has no ${type || 'body'} for this status`];
    if (!/json/.test(type)) return [];
    if (answer.json === undefined) return [`the body is not JSON: ${answer.text.slice(0, 120)}`];
    return this.valueProblems(media.schema, answer.json);
  }

  /// Copies a schema with its references put in, and closes each object that lists its fields.
  #close(schema, open, seen = [], everOpen = false) {
    if (schema === null || typeof schema !== 'object') return schema;
    if (Array.isArray(schema)) return schema.map((item) => this.#close(item, open, seen, everOpen));
    if ('$ref' in schema) {
      if (seen.includes(schema.$ref)) throw new Error(`a schema that holds itself: ${schema.$ref}`);
      const { $ref, ...rest } = schema;
      const says = Object.keys(rest).some((key) => !['description', 'summary'].includes(key));
      if (says) return this.#close({ ...rest, allOf: [...(rest.allOf ?? []), { $ref }] }, open, seen, everOpen);
      return this.#close(this.resolve(schema), open, [...seen, $ref], everOpen);
    }
    const copy = {};
    for (const [key, value] of Object.entries(schema)) {
      if (IN_PLACE_LISTS.includes(key)) copy[key] = value.map((item) => this.#close(item, true, seen, everOpen));
      else if (IN_PLACE.includes(key)) copy[key] = this.#close(value, true, seen, everOpen);
      else if (key === 'properties' || key === 'patternProperties')
        copy[key] = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#close(item, everOpen, seen, everOpen)]));
      else if (['items', 'additionalProperties', 'contains', 'propertyNames'].includes(key))
        copy[key] = this.#close(value, everOpen, seen, everOpen);
      else if (key === 'prefixItems') copy[key] = value.map((item) => this.#close(item, everOpen, seen, everOpen));
      else copy[key] = value;
    }
    const listsFields = (node) =>
      node && typeof node === 'object' &&
      ('properties' in node || IN_PLACE_LISTS.some((key) => node[key]?.some(listsFields)));
    if (!open && listsFields(copy) && !('additionalProperties' in copy) && !('unevaluatedProperties' in copy))
      copy.unevaluatedProperties = false;
    return copy;
  }
}
