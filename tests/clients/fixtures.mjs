// Vaults of the running service that show the shapes which have to be seen, found through its API.

import { exchange } from './http_client.mjs';
import { expect } from './report.mjs';

const SOLANA = 792703809;
const VARIED_MAX = 60;

/// Resolves to `{vaults, fixtures}`: a mixed list for random requests, and named examples.
export async function findFixtures(service) {
  const answer = await exchange(service.origin, '/v1/scores');
  expect(answer.status === 200 && answer.json.data.length > 0, `/v1/scores -> ${answer.status}`);
  const rows = answer.json.data.map((row) => ({ ...row, address: row.onchainId ?? row.vaultId.split(':')[2] }));
  const fictional = rows.filter((row) => row.protocolId.startsWith('example-'));
  const real = rows.filter((row) => !row.protocolId.startsWith('example-'));
  const solana = rows.find((row) => row.chainId === SOLANA);
  expect(fictional.length > 0 && real.length > 0 && solana, 'the sample has no fictional, no real or no Solana vault');

  const vaults = [...fictional.slice(0, 20), ...everyNth(real, 20), solana].map(vaultOf);
  return {
    vaults,
    fixtures: {
      scored: vaultOf(fictional.find((row) => row.dataQuality === 'sufficient') ?? fictional[0]),
      unscreened: vaultOf(real.find((row) => row.chainId !== SOLANA)),
      untracked: vaultOf(solana),
      varied: [...fictional.slice(0, VARIED_MAX), ...everyNth(real, 10)].map(vaultOf),
    },
  };
}

function vaultOf({ vaultId, chainId, protocolId, asset, address }) {
  return { vaultId, chainId, protocolId, asset, address };
}

function everyNth(list, wanted) {
  const step = Math.max(1, Math.floor(list.length / wanted));
  return list.filter((_, i) => i % step === 0).slice(0, wanted);
}
