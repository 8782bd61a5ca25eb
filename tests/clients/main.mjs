// The service seen from outside. usage: node main.mjs PROGRAM

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractTests } from './checks/contract_tests.mjs';
import { exchanges, staleScores } from './checks/exchanges.mjs';
import { fuzz } from './checks/fuzz.mjs';
import { jsonVectors } from './checks/json_vectors.mjs';
import { lint } from './checks/lint.mjs';
import { rateLimit } from './checks/rate_limit.mjs';
import { typedClient } from './checks/typed_client.mjs';
import { ApiDocument } from './document.mjs';
import { findFixtures } from './fixtures.mjs';
import { closeConnections, exchange } from './http_client.mjs';
import { expect, Report } from './report.mjs';
import { Service } from './service.mjs';

const EXEMPT = { ASSAY_LIMITS_EXEMPT_NETWORKS: '127.0.0.0/8', ASSAY_LIMITS_PARTNER_PER_MINUTE: '1000000' };

async function main(program) {
  const report = new Report();
  const workDir = await mkdtemp(join(tmpdir(), 'assay-clients-'));
  const services = [];
  const start = async (env) => {
    const service = await Service.start(program, env);
    services.push(service);
    return service;
  };
  try {
    await report.check('the suite runs against the service', async () => {
      const service = await start(EXEMPT);
      const answer = await exchange(service.origin, '/v1/openapi.json');
      expect(answer.status === 200, `/v1/openapi.json -> ${answer.status}`);
      const documentFile = join(workDir, 'openapi.json');
      await writeFile(documentFile, answer.text);
      const context = {
        service,
        workDir,
        documentFile,
        document: new ApiDocument(answer.json),
        partnerKey: await service.issueKey('clients'),
        ...(await findFixtures(service)),
      };
      await lint(report, context);
      await typedClient(report, context);
      await exchanges(report, context);
      await contractTests(report, context);
      await jsonVectors(report, context);
      await fuzz(report, context);
      await rateLimit(report, { ...context, limitedService: await start({}) });
      await staleScores(report, { ...context, staleService: await start({ ...EXEMPT, ASSAY_PORTFOLIO_SCORES_AGE_MAX_S: '1' }) });
    });
  } finally {
    closeConnections();
    await report.check('the services stop well', async () => {
      for (const service of services) await service.stop();
    });
    await rm(workDir, { recursive: true, force: true });
  }
  return report.close();
}

if (process.argv.length !== 3) {
  console.error('usage: node main.mjs PROGRAM');
  process.exit(2);
}
process.exit(await main(process.argv[2]));
