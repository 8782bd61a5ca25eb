// One exchange with the running service, as bytes: nothing is followed, retried or decoded
// behind the back of a check.

import http from 'node:http';

const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
const TIMEOUT_MS = 20_000;

/// Sends one request. `target` is the request target as it goes on the wire. Resolves to
/// `{method, target, status, headers, body, text, json}`; `json` is undefined unless the body is JSON.
export function exchange(origin, target, { method = 'GET', headers = {}, body } = {}) {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = http.request(
      { hostname, port, path: target, method, headers, agent, timeout: TIMEOUT_MS },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve(answer(method, target, response, bytes));
        });
      },
    );
    request.on('timeout', () => request.destroy(new Error(`${method} ${target}: no answer in time`)));
    request.on('error', (error) =>
      reject(new Error(`${method} ${target.slice(0, 200)}: ${error.message}`)),
    );
    request.end(body);
  });
}

/// Ends the kept connections, so that the process can end.
export function closeConnections() {
  agent.destroy();
}

function answer(method, target, response, bytes) {
  const text = bytes.toString('utf8');
  let json;
  if (/json/.test(response.headers['content-type'] ?? '') && !response.headers['content-encoding']) {
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
  }
  return { method, target, status: response.statusCode, headers: response.headers, body: bytes, text, json };
}
