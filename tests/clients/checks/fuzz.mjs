// Random requests from a fixed seed against what the document says: the answer to a request is
// decided by its parameters' declarations alone, so they are the oracle here.

import fc from 'fast-check';
import { exchange } from '../http_client.mjs';
import { expect } from '../report.mjs';

const SEED = 20_260_711;
const RUNS_PER_OPERATION = 400;
const DISCLAIMER = 'x-service-disclaimer';
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const INTEGER = /^(0|[1-9]\d*)$/;
const LIST_MAX = 10;

export async function fuzz(report, { service, document, vaults, partnerKey }) {
  for (const operation of document.operations.filter((op) => op.method === 'GET')) {
    await report.check(`${RUNS_PER_OPERATION} random requests to ${operation.path} are answered by the rules`, () =>
      holds(requestOf(document, operation, vaults, partnerKey), (request) =>
        problemsOfGet(service, document, operation, request)));
  }
  await report.check(`${RUNS_PER_OPERATION} random baskets are answered by the rules`, () =>
    holds(basketOf(vaults), (body) => problemsOfBasket(service, document, body)));
}

/// Runs the property; resolves to the problems of the smallest counterexample.
async function holds(arbitrary, problemsOf) {
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const problems = await problemsOf(value);
    expect(problems.length === 0, problems.join('\n'));
  });
  const outcome = await fc.check(property, { seed: SEED, numRuns: RUNS_PER_OPERATION, endOnFailure: false });
  if (!outcome.failed) return [];
  return [`smallest: ${JSON.stringify(outcome.counterexample)}`, outcome.errorInstance.message];
}

// --- requests ------------------------------------------------------------------------------------

const junk = fc.oneof(
  fc.constantFrom(
    '', '+100', ' 100', '00100', '0x64', 'NaN', 'Infinity', '-Infinity', '1e400', '1.', '.5', '1,000', '100\0', '-1',
    '-0', '1e3', '1e-3', '9007199254740993', '18446744073709551616', '-9223372036854775809', 'true', 'TRUE', 'True',
    'false', 'null', 'compact', 'Compact', 'composite', '١٢', '1 ', '%', '\r\nX-Injected: 1', '../..', "' OR 1=1--",
    '<script>', ',', ',,', 'USDC,', 'a'.repeat(200), '🦀', '\ufeff1',
  ),
  fc.string({ maxLength: 12 }),
  fc.fullUnicodeString({ maxLength: 8 }),
  fc.double().map(String),
  fc.integer().map(String),
);

/// A value that the declaration allows, or is just outside it, or anything.
function valueOf(document, parameter, vaults) {
  const schema = document.resolve(parameter.schema);
  const choices = [];
  const { minimum, maximum, exclusiveMinimum } = schema;
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  if (values.length > 0) choices.push(fc.constantFrom(...values.map(String)));
  if (schema.type === 'integer' || schema.type === 'number') {
    const low = minimum ?? exclusiveMinimum ?? 0;
    const high = maximum ?? 1e6;
    choices.push(fc.integer({ min: Math.ceil(low), max: Math.floor(Math.min(high, 2 ** 31 - 1)) }).map(String));
    choices.push(fc.constantFrom(low, high, low - 1, high + 1).map(String));
    if (schema.type === 'number') choices.push(fc.double({ min: low, max: high, noNaN: true }).map(String));
  }
  const known = {
    chainId: vaults.map((v) => String(v.chainId)),
    address: vaults.map((v) => v.address),
    protocolId: vaults.map((v) => v.protocolId),
    asset: vaults.map((v) => v.asset),
    vaultId: vaults.map((v) => v.vaultId),
  }[parameter.name];
  if (known) choices.push(fc.constantFrom(...known), fc.constantFrom(...known), fc.constantFrom(...known).map((v) => v.toUpperCase()));
  if (parameter.name === 'asset') choices.push(fc.array(fc.constantFrom(...known), { minLength: 1, maxLength: 12 }).map(String));
  choices.push(...choices, ...choices, junk);
  return fc.oneof(...choices);
}

const headers = fc.record(
  {
    'accept-encoding': fc.constantFrom('gzip', 'identity', '*;q=0', 'br, gzip;q=0', 'gzip;q=9', ',,,'),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/"x"', '"', '"a", "b"'),
    origin: fc.constantFrom('https://example.org', 'null', 'junk'),
    'x-api-key': fc.constantFrom('nobody', '0'.repeat(64), 'a'.repeat(4000), "'"),
    'x-request-id': fc.constantFrom('abc-1', 'a'.repeat(65), 'a b', '<>', ''),
    'x-forwarded-for': fc.constantFrom('10.0.0.1', '::1', 'junk,,', '1.2.3.4, 5.6.7.8'),
    accept: fc.constantFrom('*/*', 'application/xml', 'text/html;q=1, */*;q=0'),
  },
  { requiredKeys: [] },
);

function requestOf(document, operation, vaults, partnerKey) {
  const inPath = operation.parameters.filter((p) => p.in === 'path');
  // A cursor is the service's own word: only one that it gave is good.
  const inQuery = operation.parameters.filter((p) => p.in === 'query' && p.name !== 'cursor');
  const pairs = (parameters, rare) =>
    fc.record(
      Object.fromEntries(parameters.map((p) => [p.name, valueOf(document, p, vaults)])),
      { requiredKeys: parameters.filter((p) => p.required && !rare).map((p) => p.name) },
    );
  return fc.record({
    path: pairs(inPath, false),
    // Mostly complete, so that more than the missing parameter is tried.
    query: fc.oneof({ weight: 9, arbitrary: pairs(inQuery, false) }, { weight: 1, arbitrary: pairs(inQuery, true) }),
    extra: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 90 }), junk), { maxLength: 30 }) }),
    repeat: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD'),
    headers: headers.map((h) => (operation.path.startsWith('/partner/') ? { ...h, 'x-api-key': partnerKey } : h)),
  });
}

// --- answers -------------------------------------------------------------------------------------

async function problemsOfGet(service, document, operation, request) {
  const known = new Set(operation.parameters.filter((p) => p.in === 'query').map((p) => p.name));
  const extra = request.extra.filter(([name]) => !known.has(name));
  const sent = Object.entries(request.query);
  const twice = request.repeat && sent.length > 0 ? [sent[0]] : [];
  const path = operation.template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(request.path[name] ?? ''));
  const query = [...sent, ...twice, ...extra].map(([k, v]) => `${encode(k)}=${encode(v)}`).join('&');
  if (Object.values(request.path).some((value) => value === '' || value === '.' || value === '..')) return [];
  const target = query ? `${path}?${query}` : path;
  const answer = await exchange(service.origin, target, { method: request.method, headers: request.headers });
  const problems = envelopeProblems(answer);
  if (request.headers['if-none-match'] === '*' && answer.status === 304) return [...problems, ...document.problemsOf(answer)];
  problems.push(...document.problemsOf(decoded(answer)));

  if (isNoSolanaAddress(request.path)) return problems;
  const faulty = faultyParameters(document, operation, request, twice);
  // Not even an unknown key may hold what no text can (decided in D2); it belongs to no field.
  const reads = '400' in operation.responses;
  const unreadable = reads && extra.some(([name, value]) => name.includes('\0') || value.includes('\0'));
  if (answer.status === 414 || answer.status === 431) return problems;
  if ((faulty.size > 0 || unreadable) !== (answer.status === 400))
    problems.push(`${target} -> ${answer.status}, but the document finds fault with: ${[...faulty].join(', ') || 'nothing'}: ${answer.text.slice(0, 300)}`);
  // A path that holds no text at all is refused before its parameters are told apart.
  const readablePath = !Object.values(request.path).some((value) => value.includes('\0'));
  if (answer.status === 400 && answer.json && readablePath) {
    const named = new Set(Object.keys(answer.json.details?.fieldErrors ?? {}));
    if ([...faulty].some((name) => !named.has(name)) || [...named].some((name) => !faulty.has(name)))
      problems.push(`${target}: faulty ${[...faulty]}, named ${[...named]}`);
  }
  if (answer.status === 200 && operation.path === '/scores' && answer.json)
    problems.push(...scoresProblems(target, request.query, extra, answer.json));
  return problems;
}

function encode(text) {
  // Lone surrogates cannot be sent as UTF-8; they go out as U+FFFD like in any client.
  return encodeURIComponent(text.toWellFormed ? text.toWellFormed() : Buffer.from(text, 'utf8').toString('utf8'));
}

/// gzip bodies are checked elsewhere; here they keep only status and headers.
function decoded(answer) {
  return answer.headers['content-encoding'] ? { ...answer, method: 'HEAD', body: Buffer.alloc(0) } : answer;
}

function envelopeProblems(answer) {
  const problems = [];
  const where = `${answer.method} ${answer.target.slice(0, 300)} -> ${answer.status}`;
  if (answer.status >= 500) problems.push(`${where}: ${answer.text.slice(0, 200)}`);
  if (!answer.headers[DISCLAIMER]) problems.push(`${where}: no disclaimer header`);
  if (!answer.headers['x-request-id']) problems.push(`${where}: no X-Request-Id`);
  if (answer.headers['access-control-allow-origin'] !== '*') problems.push(`${where}: no CORS`);
  if (answer.headers['x-injected']) problems.push(`${where}: header injection`);
  if (answer.method !== 'HEAD' && answer.status !== 304 && !answer.headers['content-encoding']) {
    if (typeof answer.json?.disclaimer !== 'string') problems.push(`${where}: no disclaimer in the body`);
    if (answer.json?.success !== answer.status < 400) problems.push(`${where}: success is ${answer.json?.success}`);
  }
  return problems;
}

/// A rule over two parameters, which a document cannot state: base58 on Solana.
function isNoSolanaAddress({ chainId, address }) {
  return chainId === '792703809' && address !== undefined && !/^[1-9A-Za-z]{32,44}$/.test(address);
}

/// The parameters that the document's declarations refuse.
function faultyParameters(document, operation, request, twice) {
  const faulty = new Set(twice.map(([name]) => name));
  for (const parameter of operation.parameters.filter((p) => p.in === 'path' || p.in === 'query')) {
    const text = request[parameter.in][parameter.name];
    if (text === undefined) {
      if (parameter.required) faulty.add(parameter.name);
    } else if (!allows(document, parameter, text)) {
      faulty.add(parameter.name);
    }
  }
  return faulty;
}

function allows(document, parameter, text) {
  const schema = document.resolve(parameter.schema);
  if (text === '' || text.includes('\0')) return false;
  if (schema.type === 'integer') return INTEGER.test(text) && document.valueProblems(parameter.schema, Number(text)).length === 0;
  if (schema.type === 'number') return NUMBER.test(text) && Number.isFinite(Number(text)) && document.valueProblems(parameter.schema, Number(text)).length === 0;
  if (schema.type === 'boolean') return text === 'true';
  if (schema.type === 'array') return document.valueProblems(parameter.schema, text.split(',')).length === 0;
  return document.valueProblems(parameter.schema, text).length === 0;
}

function scoresProblems(target, query, extra, body) {
  const problems = [];
  const say = (what) => problems.push(`${target}: ${what}`);
  const applied = Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      if (['chainId', 'limit', 'minScore', 'minTvl', 'minApy'].includes(name)) return [name, Number(text)];
      if (['routable', 'excludeFallback', 'explain'].includes(name)) return [name, true];
      return [name, name === 'asset' ? text.split(',') : text];
    }),
  );
  for (const name of new Set([...Object.keys(applied), ...Object.keys(body.applied)])) {
    const fold = (value) => (['address', 'protocolId'].includes(name) ? String(value).toLowerCase() : JSON.stringify(value));
    if (fold(applied[name]) !== fold(body.applied[name]))
      say(`applied.${name} is ${JSON.stringify(body.applied[name])}, sent ${JSON.stringify(applied[name])}`);
  }
  const ignored = [...new Set(extra.map(([name]) => name))];
  if ((body.ignoredParams !== undefined) !== ignored.length > 0) say(`ignoredParams ${JSON.stringify(body.ignoredParams)}`);
  if (body.ignoredParams && (body.ignoredParams.length !== Math.min(20, body.ignoredParams.length) || body.ignoredParams.some((name) => [...name].length > 64)))
    say('ignoredParams too long');
  if (body.count !== body.data.length || body.total < body.count) say(`count ${body.count}, total ${body.total}, rows ${body.data.length}`);
  if (applied.limit !== undefined ? body.count !== Math.min(applied.limit, body.total) : body.count !== body.total)
    say(`count ${body.count} of ${body.total} with limit ${applied.limit}`);
  const symbols = applied.asset?.map((symbol) => symbol.toLowerCase());
  for (const row of body.data) {
    const keeps =
      (applied.chainId === undefined || row.chainId === applied.chainId) &&
      (applied.protocolId === undefined || row.protocolId === applied.protocolId.toLowerCase()) &&
      (applied.address === undefined || row.vaultId.split(':')[2] === applied.address.toLowerCase()) &&
      (symbols === undefined || symbols.includes(row.asset?.toLowerCase())) &&
      (applied.minScore === undefined || row.composite >= applied.minScore) &&
      (applied.minTvl === undefined || (row.tvl !== null && row.tvl >= applied.minTvl)) &&
      (applied.minApy === undefined || (row.apy !== null && row.apy >= applied.minApy)) &&
      (applied.excludeFallback === undefined || row.dataQuality !== 'fallback') &&
      (applied.routable === undefined || row.routable !== false);
    if (!keeps) say(`a row that the filters exclude: ${JSON.stringify(row).slice(0, 300)}`);
  }
  for (let i = 1; i < body.data.length; i += 1)
    if (!inOrder(body.data[i - 1], body.data[i], applied.sort)) {
      say(`rows ${i - 1} and ${i} out of order`);
      break;
    }
  return problems;
}

function inOrder(a, b, sort) {
  if (sort === undefined) return a.scoredAt > b.scoredAt || (a.scoredAt === b.scoredAt && a.vaultId < b.vaultId);
  if (a[sort] === b[sort]) return a.vaultId < b.vaultId;
  if (a[sort] === null || b[sort] === null) return b[sort] === null;
  return a[sort] > b[sort];
}

// --- baskets -------------------------------------------------------------------------------------

const anyJson = fc.jsonValue({ maxDepth: 3 });

function basketOf(vaults) {
  const position = fc.record(
    {
      chainId: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...vaults.map((v) => v.chainId)) }, { weight: 1, arbitrary: anyJson }),
      address: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...vaults.map((v) => v.address)) }, { weight: 1, arbitrary: anyJson }),
      weight: fc.oneof({ weight: 12, arbitrary: fc.double({ min: 1e-6, max: 1e9, noNaN: true }) }, { weight: 1, arbitrary: anyJson }),
    },
    { requiredKeys: ['chainId', 'address'] },
  );
  const good = fc.tuple(fc.constantFrom(...vaults), fc.integer({ min: 1, max: 1e6 })).map(([v, weight]) => ({ chainId: v.chainId, address: v.address, weight }));
  return fc.oneof(
    fc.record({ positions: fc.array(good, { minLength: 1, maxLength: 50 }) }),
    fc.record({ positions: fc.array(position, { maxLength: 55 }) }),
    anyJson,
  );
}

async function problemsOfBasket(service, document, body) {
  const text = JSON.stringify(body);
  const answer = await exchange(service.origin, '/v1/basket', { method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
  const problems = [...envelopeProblems(answer), ...document.problemsOf(answer)];
  const schema = document.operations.find((op) => op.path === '/basket').requestBody.content['application/json'].schema;
  const weights = Array.isArray(body?.positions) ? body.positions.filter((p) => p?.weight !== undefined).length : 0;
  const mixed = weights > 0 && weights !== body.positions.length;
  const allowed = document.openProblems(schema, body).length === 0 && !mixed;
  if (allowed !== (answer.status === 200))
    problems.push(`${text.slice(0, 400)} -> ${answer.status}, the document says ${allowed ? 'valid' : 'invalid'}: ${answer.text.slice(0, 300)}`);
  if (answer.status === 200) problems.push(...basketProblems(body, answer.json));
  return problems;
}

function basketProblems(sent, { basket, positions }) {
  const problems = [];
  const near = (what, a, b) => {
    if (!(Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b)))) problems.push(`${what}: ${a}, expected ${b}`);
  };
  const total = sent.positions.reduce((sum, p) => sum + (p.weight ?? 1), 0);
  const weights = sent.positions.map((p) => (p.weight ?? 1) / total);
  const scored = positions.map((p, i) => [p, weights[i]]).filter(([p]) => p.scored);
  const covered = scored.reduce((sum, [, w]) => sum + w, 0);
  near('positions', basket.positions, sent.positions.length);
  near('entries', positions.length, sent.positions.length);
  near('scoredPositions', basket.scoredPositions, scored.length);
  near('scoredWeight', basket.scoredWeight, covered);
  near('maxWeight', basket.maxWeight, Math.max(...weights));
  near('chainShare', Object.values(basket.chainShare).reduce((a, b) => a + b, 0), 1);
  near('protocolShare', Object.values(basket.protocolShare).reduce((a, b) => a + b, 0), 1);
  near('unscored share', basket.protocolShare.unscored ?? 0, 1 - covered);
  if (scored.length === 0) return basket.composite === null ? problems : [...problems, 'a composite of nothing'];
  near('composite', basket.composite, scored.reduce((sum, [p, w]) => sum + w * p.composite, 0) / covered);
  for (const pillar of ['yield', 'safety', 'liquidity', 'sustainability'])
    near(pillar, basket.pillarScores[pillar], scored.reduce((sum, [p, w]) => sum + w * p.pillarScores[pillar], 0) / covered);
  return problems;
}
