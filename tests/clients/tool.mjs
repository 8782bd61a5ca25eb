// Runs command line tools of the pinned packages, without their network habits.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const HERE = fileURLToPath(new URL('.', import.meta.url));
const TIMEOUT_MS = 120_000;
const QUIET = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  SCARF_ANALYTICS: 'false',
  NO_COLOR: '1',
  CI: 'true',
};

/// Runs `node_modules/.bin/name`; resolves to `{code, output}` with both streams in one text.
export function tool(name, args, { cwd = HERE, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(join(HERE, 'node_modules', '.bin', name), args, {
      cwd,
      env: { ...process.env, ...QUIET, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
