// The program under test as a child process on ports that the system chooses.

import { spawn, execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from './report.mjs';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;

export class Service {
  /// Starts `program serve` and waits for its line. `env` adds to the environment.
  static async start(program, env = {}) {
    const dataDir = await mkdtemp(join(tmpdir(), 'assay-clients-'));
    const service = new Service(program, dataDir, env);
    try {
      service.origin = await service.#listening();
    } catch (error) {
      service.child.kill('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
      throw error;
    }
    return service;
  }

  constructor(program, dataDir, env) {
    this.program = program;
    this.dataDir = dataDir;
    this.log = '';
    this.child = spawn(
      program,
      ['serve', '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--data-dir', dataDir],
      { env: { ...process.env, ASSAY_LOG_LEVEL: 'warn', ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.exited = new Promise((resolve) => {
      this.child.once('error', (error) => resolve({ error }));
      this.child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    this.child.stderr.on('data', (chunk) => {
      this.log = (this.log + chunk).slice(-20_000);
    });
  }

  get base() {
    return `${this.origin}/v1`;
  }

  /// Issues a partner key from the command line, as an operator does, while the service runs.
  async issueKey(name) {
    const { stdout } = await promisify(execFile)(this.program, [
      'keys', 'issue', '--name', name, '--output', 'json', '--data-dir', this.dataDir,
    ]);
    const { key } = JSON.parse(stdout);
    expect(typeof key === 'string' && key.length > 0, `no key in: ${stdout}`);
    return key;
  }

  /// Asks it to stop; throws when it does not end well in time.
  async stop() {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    const end = await this.exited;
    clearTimeout(timer);
    await rm(this.dataDir, { recursive: true, force: true });
    expect(end.code === 0, `the service ended with ${JSON.stringify(end)}\n${this.log}`);
  }

  #listening() {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no listening line within ${START_TIMEOUT_MS} ms\n${this.log}`)),
        START_TIMEOUT_MS,
      );
      let text = '';
      this.child.stdout.on('data', (chunk) => {
        text += chunk;
        const match = /^listening on (http:\/\/\S+)$/m.exec(text);
        if (!match) return;
        clearTimeout(timer);
        resolve(match[1]);
      });
      this.exited.then((end) => {
        clearTimeout(timer);
        reject(new Error(`the service ended before it listened: ${JSON.stringify(end)}\n${this.log}`));
      });
    });
  }
}
