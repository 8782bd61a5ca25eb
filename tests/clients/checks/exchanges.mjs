// What a typed client does not show: HEAD, revalidation, compression, preflight, unknown paths and
// methods, faults of the service that an operator can bring about.

import { gunzipSync } from 'node:zlib';
import { exchange } from '../http_client.mjs';
import { expect } from '../report.mjs';

const CACHED = ['/v1/scores', '/v1/scores?fields=compact&limit=5', '/v1/catalog'];

export async function exchanges(report, { service, document, fixtures }) {
  const vault = `/v1/vaults/${fixtures.scored.chainId}/${fixtures.scored.address}`;
  const cached = [...CACHED, `${vault}/factors`, `${vault}/route`];
  const ask = (target, options) => exchange(service.origin, target, options);

  await report.check('HEAD is GET without the body', async () => {
    const problems = [];
    for (const target of [...cached, '/v1/portfolio?riskTier=balanced&principal=1000', '/v1/scores?limit=0', '/v1/nope']) {
      const [get, head] = [await ask(target), await ask(target, { method: 'HEAD' })];
      for (const name of ['content-length', 'content-type', 'etag', 'vary'])
        if (get.headers[name] !== head.headers[name]) problems.push(`${target}: ${name} ${get.headers[name]} / ${head.headers[name]}`);
      if (get.status !== head.status || head.body.length > 0) problems.push(`${target}: ${get.status} / ${head.status}`);
    }
    return problems;
  });
  await report.check('an unchanged body is not sent again', async () => {
    const problems = [];
    for (const target of cached) {
      const first = await ask(target);
      const { etag } = first.headers;
      if (!/^"[^"]+"$/.test(etag ?? '')) problems.push(`${target}: no strong ETag but ${etag}`);
      if (!/public, max-age=\d+/.test(first.headers['cache-control'] ?? '')) problems.push(`${target}: ${first.headers['cache-control']}`);
      for (const value of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
        const again = await ask(target, { headers: { 'if-none-match': value } });
        if (again.status !== 304 || again.body.length > 0 || again.headers.etag !== etag) problems.push(`${target}: ${value} -> ${again.status}`);
        if (!again.headers['x-service-disclaimer']) problems.push(`${target}: 304 without the disclaimer`);
        problems.push(...document.problemsOf(again));
      }
      const other = await ask(target, { headers: { 'if-none-match': '"other"' } });
      if (other.status !== 200) problems.push(`${target}: "other" -> ${other.status}`);
      for (const [value, status] of [[etag, 200], ['*', 200], ['"other"', 412], [`W/${etag}`, 412]]) {
        const matched = await ask(target, { headers: { 'if-match': value } });
        if (matched.status !== status) problems.push(`${target}: If-Match ${value} -> ${matched.status}`);
        problems.push(...document.problemsOf(matched));
      }
    }
    return problems;
  });
  await report.check('gzip carries the same body', async () => {
    const problems = [];
    for (const target of cached) {
      const plain = await ask(target);
      const packed = await ask(target, { headers: { 'accept-encoding': 'gzip' } });
      const large = plain.body.length > 1024;
      if ((packed.headers['content-encoding'] === 'gzip') !== large) problems.push(`${target}: ${plain.body.length} bytes, ${packed.headers['content-encoding']}`);
      else if (large && !gunzipSync(packed.body).equals(plain.body)) problems.push(`${target}: another body`);
      if (large && !/accept-encoding/i.test(packed.headers.vary ?? '')) problems.push(`${target}: Vary ${packed.headers.vary}`);
      if (large && plain.headers.etag === packed.headers.etag) problems.push(`${target}: one strong ETag for two representations`);
      const refused = await ask(target, { headers: { 'accept-encoding': 'gzip;q=0' } });
      if (refused.headers['content-encoding']) problems.push(`${target}: gzip though refused`);
    }
    return problems;
  });
  await report.check('a preflight is answered for every operation', async () => {
    const problems = [];
    for (const operation of document.operations) {
      const target = operation.template.replace('{chainId}', '1').replace('{address}', '0xab');
      const answer = await ask(target, {
        method: 'OPTIONS',
        headers: { origin: 'https://example.org', 'access-control-request-method': operation.method, 'access-control-request-headers': 'x-api-key' },
      });
      const allowed = answer.headers['access-control-allow-methods'] ?? '';
      if (answer.status !== 204 || !allowed.includes(operation.method)) problems.push(`${target}: ${answer.status} ${allowed}`);
      if (answer.headers['access-control-max-age'] !== '86400') problems.push(`${target}: max-age ${answer.headers['access-control-max-age']}`);
      for (const name of ['x-api-key', 'content-type', 'if-none-match'])
        if (!(answer.headers['access-control-allow-headers'] ?? '').toLowerCase().includes(name)) problems.push(`${target}: does not allow ${name}`);
    }
    return problems;
  });
  await report.check('a method that a path lacks is 405 with Allow', async () => {
    const problems = [];
    for (const operation of document.operations)
      for (const method of ['DELETE', 'PUT', operation.method === 'POST' ? 'GET' : 'POST']) {
        const target = operation.template.replace('{chainId}', '1').replace('{address}', '0xab');
        const answer = await ask(target, { method });
        if (answer.status !== 405 || !(answer.headers.allow ?? '').includes(operation.method))
          problems.push(`${method} ${target}: ${answer.status}, Allow: ${answer.headers.allow}`);
        if (answer.json?.error !== 'Method not allowed') problems.push(`${method} ${target}: ${answer.text.slice(0, 200)}`);
      }
    return problems;
  });
  await report.check('an unknown path is 404 in the common shape', async () => {
    for (const target of ['/', '/v1', '/v1/nope', '/v2/scores', '/v1/vaults/1/0xab', '/v1/scores/1']) {
      const { status, json, headers } = await ask(target);
      if (target === '/' && status === 200) continue;
      expect(status === 404 && json?.success === false && json.error === 'Not found' && headers['x-service-disclaimer'], `${target}: ${status}`);
    }
  });
}

/// A service whose scores are too old for /portfolio: it fails closed, everything else is served.
export async function staleScores(report, { staleService: service, document }) {
  await report.check('stale scoring closes /portfolio alone', async () => {
    const target = '/v1/portfolio?riskTier=balanced&principal=1000';
    const end = Date.now() + 30_000;
    let answer = await exchange(service.origin, target);
    while (answer.status !== 503 && Date.now() < end) answer = await exchange(service.origin, target);
    expect(answer.status === 503 && answer.json?.error === 'Scoring data is stale', `${answer.status} ${answer.text}`);
    expect(Number(answer.headers['retry-after']) >= 30, `Retry-After: ${answer.headers['retry-after']}`);
    const scores = await exchange(service.origin, '/v1/scores?limit=1');
    expect(scores.status === 200, `/scores: ${scores.status}`);
    return document.problemsOf(answer);
  });
}
