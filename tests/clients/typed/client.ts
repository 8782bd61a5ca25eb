// A client as a user would write it: the types come from the service's OpenAPI document, and this
// file compiles under --strict only while the document says what is relied on here.

import createClient from 'openapi-fetch';
import type { components, paths } from './openapi.js';

type Fetch = (request: Request) => Promise<Response>;
type Score = components['schemas']['Score'];

/// Vaults of the running service that show what has to be seen.
export interface Fixtures {
  scored: { chainId: number; address: string; protocolId: string; asset: string; vaultId: string };
  unscreened: { chainId: number; address: string };
  untracked: { chainId: number; address: string };
  /// Every vault whose shapes may differ: verdicts, admin classes, data qualities.
  varied: { chainId: number; address: string }[];
}

export interface Seen {
  expectation: string;
  holds: boolean;
}

/// A query that decodes to no text.
const UNREADABLE = 'a=%00';
/// An address of the right form that no vault has.
const NOWHERE = '0x00000000000000000000000000000000000000aa';

/// Calls every operation with every status that a caller can bring about. `fetch` sees each
/// exchange; the result says what was expected of the typed values.
export async function callEverything(baseUrl: string, fetch: Fetch, fixtures: Fixtures, partnerKey: string): Promise<Seen[]> {
  const api = createClient<paths>({ baseUrl, fetch });
  const seen: Seen[] = [];
  const expect = (expectation: string, holds: boolean): void => void seen.push({ expectation, holds });

  await scores(api, expect, fixtures);
  await catalog(api, expect);
  await portfolio(api, expect);
  await basket(api, expect, fixtures);
  await vaults(api, expect, fixtures);
  await gas(api, expect);
  await partner(api, expect, fixtures, partnerKey);
  return seen;
}

type Api = ReturnType<typeof createClient<paths>>;
type Expect = (expectation: string, holds: boolean) => void;

async function scores(api: Api, expect: Expect, { scored }: Fixtures): Promise<void> {
  const all = await api.GET('/scores');
  expect('scores: every row', all.data !== undefined && all.data.count === all.data.total && all.data.count === all.data.data.length);

  const filtered = await api.GET('/scores', {
    params: {
      query: {
        chainId: scored.chainId, protocolId: scored.protocolId, asset: [scored.asset], minScore: 0, minTvl: 0, minApy: 0,
        routable: 'true', excludeFallback: 'true', explain: 'true', sort: 'composite', limit: 5, fields: 'compact',
      },
    },
  });
  expect('scores: the filters are echoed', filtered.data?.applied.limit === 5 && filtered.data.applied.sort === 'composite');
  expect('scores: explain', (filtered.data?.explain?.universe ?? 0) > 0);

  const one = await api.GET('/scores', { params: { query: { address: scored.address } } });
  const row = one.data?.data[0];
  if (row !== undefined && 'pillarScores' in row) {
    const full: Score = row;
    const composite: number = full.composite;
    const apy: number | null = full.apy;
    expect('scores: a full row', composite >= 0 && (apy === null || Number.isFinite(apy)) && full.pillarScores.safety >= 0);
  } else {
    expect('scores: a full row', false);
  }
  await api.GET('/scores', { params: { query: { explain: 'true', asset: [scored.asset.slice(0, 2)], routable: 'true', minTvl: 1e9, minApy: 5, minScore: 60, excludeFallback: 'true' } } });
  await api.GET('/scores', { params: { query: { explain: 'true', routable: 'true', excludeFallback: 'true', sort: 'tvl', limit: 1 } } });
  const ignored = await api.GET('/scores', { params: { query: { limit: 1, colour: 'blue' } as { limit: number } } });
  expect('scores: an unknown key is reported', ignored.data?.ignoredParams?.[0] === 'colour');

  // @ts-expect-error: the document has no such order
  const wrong = await api.GET('/scores', { params: { query: { sort: 'name', limit: 0 } } });
  expect('scores: both faults are reported', wrong.response.status === 400 && wrong.error !== undefined && 'details' in wrong.error && Object.keys(wrong.error.details.fieldErrors).length === 2);
}

async function catalog(api: Api, expect: Expect): Promise<void> {
  const all = await api.GET('/catalog');
  expect('catalog: entries', (all.data?.data[0]?.tvl ?? -1) >= 0);
  const wrong = await api.GET('/catalog', { params: { query: { chainId: -1 } } });
  expect('catalog: a wrong chain', wrong.response.status === 400);
}

async function portfolio(api: Api, expect: Expect): Promise<void> {
  for (const riskTier of ['conservative', 'balanced', 'aggressive'] as const) {
    const { data } = await api.GET('/portfolio', { params: { query: { riskTier, principal: 10_000, timeline: 'long' } } });
    const dollars = data?.allocations.reduce((sum, slice) => sum + slice.allocationUsd, data.unallocatedUsd);
    expect(`portfolio: ${riskTier} adds up`, dollars !== undefined && Math.abs(dollars - 10_000) < 0.005);
  }
  const hundred = await api.GET('/portfolio', { params: { query: { riskTier: 'conservative', principal: 100 } } });
  expect('portfolio: nothing fits, and the note says why', hundred.data?.strategy === 'none' && (hundred.data.note ?? '').length > 0);
  const explained = await api.GET('/portfolio', { params: { query: { riskTier: 'balanced', principal: 1e6, explain: 'true' } } });
  expect('portfolio: explained', explained.response.status === 200);
  // @ts-expect-error: the principal is required
  const wrong = await api.GET('/portfolio', { params: { query: { riskTier: 'balanced' } } });
  expect('portfolio: a missing principal', wrong.error !== undefined && 'details' in wrong.error && 'principal' in wrong.error.details.fieldErrors);
}

async function basket(api: Api, expect: Expect, { scored }: Fixtures): Promise<void> {
  const { data } = await api.POST('/basket', {
    body: { positions: [{ chainId: scored.chainId, address: scored.address, weight: 3 }, { chainId: 1, address: NOWHERE, weight: 1 }] },
  });
  expect('basket: the unscored share is left out', data?.basket.scoredWeight === 0.75 && data.positions[1]?.scored === false);
  const nothing = await api.POST('/basket', { body: { positions: [{ chainId: 1, address: NOWHERE }] } });
  expect('basket: nothing scored', nothing.data?.basket.composite === null);
  const wrong = await api.POST('/basket', { body: { positions: [] } });
  expect('basket: no positions', wrong.response.status === 400 && wrong.error !== undefined);
  const large = await api.POST('/basket', { body: { positions: [{ chainId: 1, address: NOWHERE }] }, bodySerializer: (body) => JSON.stringify(body) + ' '.repeat(70_000) });
  expect('basket: a body past the limit', large.response.status === 413);
  const text = await api.POST('/basket', { body: { positions: [] }, headers: { 'content-type': 'text/plain' } });
  expect('basket: not JSON by its type', text.response.status === 415);
}

async function vaults(api: Api, expect: Expect, fixtures: Fixtures): Promise<void> {
  const nowhere = { chainId: 1, address: NOWHERE };
  for (const path of [...fixtures.varied, fixtures.scored]) {
    const route = await api.GET('/vaults/{chainId}/{address}/route', { params: { path } });
    expect('route: the probe is stated', route.data?.data.probe.scope === 'same-chain');
    await api.GET('/vaults/{chainId}/{address}/metrics', { params: { path } });
    const factors = await api.GET('/vaults/{chainId}/{address}/factors', { params: { path } });
    expect('factors: sixteen of them', Object.keys(factors.data?.data.factors ?? {}).length === 16);
  }
  const sized = await api.GET('/vaults/{chainId}/{address}/route', { params: { path: fixtures.scored, query: { sizeUsd: 250_000 } } });
  expect('route: a size', sized.response.status === 200);
  const unscreened = await api.GET('/vaults/{chainId}/{address}/route', { params: { path: fixtures.unscreened } });
  expect('route: unscreened', unscreened.data?.data.screened === false && unscreened.data.data.verdict === null);
  const untracked = await api.GET('/vaults/{chainId}/{address}/route', { params: { path: fixtures.untracked } });
  const shape = untracked.data?.data;
  expect('route: untracked', shape !== undefined && !shape.tracked && 'note' in shape && shape.note.length > 0);
  const tiny = await api.GET('/vaults/{chainId}/{address}/route', { params: { path: fixtures.scored, query: { sizeUsd: 9 } } });
  expect('route: a size out of range', tiny.response.status === 400);
  const noMetrics = await api.GET('/vaults/{chainId}/{address}/metrics', { params: { path: nowhere } });
  expect('metrics: none', noMetrics.response.status === 404 && noMetrics.error?.error === 'Risk metrics not found for this vault');
  const noFactors = await api.GET('/vaults/{chainId}/{address}/factors', { params: { path: nowhere } });
  expect('factors: none', noFactors.response.status === 404 && noFactors.error?.error === 'No score found for this vault');
  const bad = { params: { path: { chainId: 1, address: '0x-no-address' } } };
  expect('metrics: a wrong address', (await api.GET('/vaults/{chainId}/{address}/metrics', bad)).response.status === 400);
  expect('factors: a wrong address', (await api.GET('/vaults/{chainId}/{address}/factors', bad)).response.status === 400);
}

async function gas(api: Api, expect: Expect): Promise<void> {
  const all = await api.GET('/gas');
  const chainId = all.data?.data[0]?.chainId ?? 0;
  expect('gas: of a chain', chainId > 0);
  const one = await api.GET('/gas/{chainId}', { params: { path: { chainId } } });
  expect('gas: the chain asked for', one.data?.data.chainId === chainId);
  const none = await api.GET('/gas/{chainId}', { params: { path: { chainId: 987_654_321 } } });
  expect('gas: no such chain', none.response.status === 404 && none.error?.error === 'No gas data for this chain');
  const unreadable = await api.GET('/gas', { querySerializer: () => UNREADABLE });
  expect('gas: a query that is no text', unreadable.response.status === 400);
  const wrong = await api.GET('/gas/{chainId}', { params: { path: { chainId: -1 } } });
  expect('gas: a wrong chain', wrong.response.status === 400);
}

async function partner(api: Api, expect: Expect, { scored }: Fixtures, partnerKey: string): Promise<void> {
  const headers = { 'x-api-key': partnerKey };
  const query = { vaultId: scored.vaultId, limit: 10 };
  const factors = await api.GET('/partner/factors', { headers });
  expect('partner: every breakdown', (factors.data?.data.length ?? 0) > 100);
  const unreadable = await api.GET('/partner/factors', { headers, querySerializer: () => UNREADABLE });
  expect('partner: a query that is no text', unreadable.response.status === 400);
  const history = await api.GET('/partner/history', { headers, params: { query } });
  expect('partner: history', (history.data?.data.length ?? 0) >= 1);
  expect('partner: factors need a key', (await api.GET('/partner/factors')).response.status === 401);
  expect('partner: history needs a key', (await api.GET('/partner/history', { params: { query } })).response.status === 401);
  const wrong = await api.GET('/partner/history', { headers, params: { query: { vaultId: scored.vaultId, limit: 0 } } });
  expect('partner: a wrong limit', wrong.response.status === 400);
}
