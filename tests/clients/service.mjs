// The program under test as a child process on ports that the system chooses.

import { spawn, execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exchange } from './http_client.mjs';
import { expect } from './report.mjs';

const START_TIMEOUT_MS = 60_000;
/// A key that was issued counts on a running service within this time.
const KEY_TIMEOUT_MS = 1000;
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

  /// Issues a partner key while the service runs; it is good and unused when this resolves.
  async issueKey(name) {
    const key = await this.#issue(name);
    // The book of keys is read as a whole: once a later key counts, this one does.
    const later = await this.#issue(`${name}-later`);
    const end = Date.now() + KEY_TIMEOUT_MS;
    while ((await this.#statusWith(later)) !== 400)
      expect(Date.now() < end, `the key is not good ${KEY_TIMEOUT_MS} ms after it was issued`);
    return key;
  }

  async #issue(name) {
    const { stdout } = await promisify(execFile)(this.program, [
      'keys', 'issue', '--name', name, '--output', 'json', '--data-dir', this.dataDir,
    ]);
    const { key } = JSON.parse(stdout);
    expect(typeof key === 'string' && key.length > 0, `no key in: ${stdout}`);
    return key;
  }

  /// 400 for a good key: the vault is missing from the question.
  async #statusWith(key) {
    return (await exchange(this.origin, '/v1/partner/history', { headers: { 'x-api-key': key } })).status;
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
