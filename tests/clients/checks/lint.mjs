// Two independent linters have no error to report on the document.

import { expect } from '../report.mjs';
import { tool } from '../tool.mjs';

export async function lint(report, { documentFile }) {
  await report.check('the document passes redocly lint', async () => {
    const { code, output } = await tool('redocly', ['lint', documentFile, '--format=stylish']);
    expect(code === 0, output);
    expect(/valid/i.test(output), `redocly said nothing of the document: ${output}`);
  });
  await report.check('the document passes spectral with spectral:oas', async () => {
    const { code, output } = await tool('spectral', [
      'lint', documentFile, '--ruleset', 'spectral.yaml', '--fail-severity', 'error', '--format', 'text',
    ]);
    expect(code === 0, output);
  });
}
