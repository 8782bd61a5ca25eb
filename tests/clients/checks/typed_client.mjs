// A TypeScript client is generated from the document, compiled under --strict and run against the
// service. Every answer it gets is held against the document, and the document against the answers:
// a documented status or field that never shows is as wrong as one that is not documented.

import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from '../report.mjs';
import { HERE, tool } from '../tool.mjs';
import { unseenFields } from '../field_coverage.mjs';

// Under node_modules, so that the compiled client finds the runtime it was generated for.
const GENERATED = join(HERE, 'node_modules', '.cache', 'assay-client');
/// Statuses that no single well-meaning caller can bring about: overload and faults of the service.
const NOT_PROVOKED = new Set(['500', '503', '429', '408', '431', '414']);
/// Statuses of conditional requests; exchanges.mjs asks for them.
const CONDITIONAL = new Set(['304', '412']);

export async function typedClient(report, { service, document, documentFile, fixtures, partnerKey }) {
  const answers = [];
  const built = await report.check('a TypeScript client generated from the document compiles under --strict', () =>
    build(documentFile));
  if (!built) return answers;
  await report.check('the generated client calls every operation and gets what its types say', async () => {
    const { callEverything } = await import(pathToFileURL(join(GENERATED, 'out', 'client.js')));
    const seen = await callEverything(service.base, recorder(answers), fixtures, partnerKey);
    expect(seen.length > 30, `only ${seen.length} expectations were looked at`);
    return seen.filter(({ holds }) => !holds).map(({ expectation }) => expectation);
  });
  await report.check('every answer to the client keeps the document', () =>
    [...new Set(answers.flatMap((answer) => document.problemsOf(answer)))]);
  await report.check('every documented operation and status was seen', () => unseenStatuses(document, answers));
  await report.check('every documented field of a 200 was seen', () => unseenFields(document, answers));
  return answers;
}

async function build(documentFile) {
  await rm(GENERATED, { recursive: true, force: true });
  await mkdir(GENERATED, { recursive: true });
  await cp(join(HERE, 'typed'), GENERATED, { recursive: true });
  await cp(join(HERE, 'package.json'), join(GENERATED, 'package.json'));
  const generated = await tool('openapi-typescript', [documentFile, '-o', join(GENERATED, 'openapi.d.ts')]);
  expect(generated.code === 0, generated.output);
  const compiled = await tool('tsc', ['-p', join(GENERATED, 'tsconfig.json')]);
  expect(compiled.code === 0, compiled.output);
}

/// A fetch that keeps a copy of each exchange in `answers`.
function recorder(answers) {
  return async (request) => {
    const response = await fetch(request);
    const body = Buffer.from(await response.clone().arrayBuffer());
    const headers = Object.fromEntries(response.headers);
    const { pathname, search } = new URL(request.url);
    const text = body.toString('utf8');
    const json = /json/.test(headers['content-type'] ?? '') ? JSON.parse(text) : undefined;
    answers.push({ method: request.method, target: pathname + search, status: response.status, headers, body, text, json });
    return response;
  };
}

function unseenStatuses(document, answers) {
  const seen = new Set(answers.map((a) => `${document.operationOf(a.method, a.target)?.id} ${a.status}`));
  const missing = [];
  for (const operation of document.operations)
    for (const status of Object.keys(operation.responses))
      if (!NOT_PROVOKED.has(status) && !CONDITIONAL.has(status) && !seen.has(`${operation.id} ${status}`))
        missing.push(`${operation.method} ${operation.path} ${status}`);
  return missing;
}
