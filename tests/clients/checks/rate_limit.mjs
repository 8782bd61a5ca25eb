// The rate limit headers as a client's parser reads them, on answers before and past the limit.

import { parseRateLimit } from 'ratelimit-header-parser';
import { exchange } from '../http_client.mjs';
import { expect } from '../report.mjs';

const WINDOW_MS = 60_000;

export async function rateLimit(report, { limitedService: service, document }) {
  await report.check('an anonymous caller gets 60 requests a minute and headers that say so', () =>
    spend(service, document, {}, 60));
  await report.check('an unknown key is anonymous and has no bucket of its own', async () => {
    const answer = await get(service, { 'x-api-key': 'nobody-issued-this' });
    expect(answer.status === 429, `${answer.status} ${answer.text}`);
  });
  await report.check('a partner key gets 100 requests a minute in its own bucket', async () => {
    const key = await service.issueKey('clients');
    return spend(service, document, { 'x-api-key': key }, 100);
  });
  await report.check('health is outside the limit', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const answer = await exchange(service.origin, path);
      expect(answer.status === 200, `${path} -> ${answer.status}`);
      expect(answer.headers['ratelimit-limit'] === undefined, `${path} has rate limit headers`);
    }
  });
}

async function spend(service, document, headers, limit) {
  const problems = [];
  const start = Date.now();
  for (let sent = 1; sent <= limit + 3; sent += 1) {
    const answer = await get(service, headers);
    const read = parseRateLimit(answer, { reset: 'seconds' });
    const say = (what) => problems.push(`request ${sent}: ${what}: ${answer.status} ${JSON.stringify(read)}`);
    const passes = sent <= limit;
    expect(read !== undefined, `request ${sent}: the parser finds no rate limit headers`);
    if (answer.status !== (passes ? 200 : 429)) say(`expected ${passes ? 200 : 429}`);
    if (read.limit !== limit) say(`limit is not ${limit}`);
    if (read.remaining !== Math.max(0, limit - sent)) say(`remaining is not ${Math.max(0, limit - sent)}`);
    const resetSeconds = Number(answer.headers['ratelimit-reset']);
    if (!Number.isInteger(resetSeconds) || resetSeconds < 1 || resetSeconds > 60) say('reset outside 1 to 60 s');
    if (answer.headers['ratelimit'] !== undefined) say('a combined RateLimit header');
    if (!passes) {
      if (answer.headers['retry-after'] !== answer.headers['ratelimit-reset']) say('Retry-After is not Reset');
      if (answer.json?.error !== 'Rate limit exceeded') say(`body: ${answer.text}`);
      if (answer.headers['access-control-allow-origin'] !== '*') say('no CORS on 429');
      problems.push(...document.problemsOf(answer));
    }
  }
  expect(Date.now() - start < WINDOW_MS, 'too slow to tell: the window passed while the requests were sent');
  return problems;
}

function get(service, headers) {
  return exchange(service.origin, '/v1/gas', { headers });
}
