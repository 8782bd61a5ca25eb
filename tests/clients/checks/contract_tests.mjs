// Portman turns the document into a Postman collection with contract tests, newman runs it: first
// with the required parameters alone, then with every optional one at the document's example.

import { createRequire } from 'node:module';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '../report.mjs';
import { HERE, tool } from '../tool.mjs';

const newman = createRequire(import.meta.url)('newman');

export async function contractTests(report, { service, document, documentFile, workDir, partnerKey }) {
  for (const optional of [false, true]) {
    const parameters = optional ? 'every parameter at its example' : 'the required parameters';
    await report.check(`portman's contract tests hold with ${parameters}`, async () => {
      const collection = await collectionOf({ service, documentFile, workDir, optional });
      const { requests, assertions, problems } = await run(collection, partnerKey);
      const operations = document.operations.length;
      expect(requests === operations, `${requests} requests for ${operations} operations`);
      expect(assertions >= 4 * operations, `only ${assertions} assertions for ${operations} operations`);
      return problems;
    });
  }
}

async function collectionOf({ service, documentFile, workDir, optional }) {
  const file = join(workDir, `collection-${optional}.json`);
  const settings = join(workDir, `postman-${optional}.json`);
  await writeFile(
    settings,
    JSON.stringify({
      folderStrategy: 'Tags',
      parametersResolution: 'Example',
      keepImplicitHeaders: true,
      enableOptionalParameters: optional,
    }),
  );
  const { code, output } = await tool(
    'portman',
    ['-l', documentFile, '-b', service.base, '-c', join(HERE, 'portman.json'), '-s', settings, '-o', file],
    { cwd: workDir },
  );
  expect(code === 0, output);
  return JSON.parse(await readFile(file, 'utf8'));
}

async function run(collection, partnerKey) {
  const summary = await promisify(newman.run)({
    collection,
    reporters: [],
    envVar: [{ key: 'apiKey', value: partnerKey }],
    timeout: 60_000,
  });
  const { stats, failures } = summary.run;
  return {
    requests: stats.requests.total,
    assertions: stats.assertions.total,
    problems: failures.map(({ error, source }) => `${source?.name}: ${error.test ?? ''} ${error.message}`),
  };
}
