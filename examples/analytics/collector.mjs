// Hands the events of tracker.js to Switchyard, with the token that no browser may see.
//   SWITCHYARD_URL=http://127.0.0.1:8000 SWITCHYARD_TOKEN_FILE=key.txt SITE_ORIGIN=https://shop.example node collector.mjs
// The token is an API key with the scope analytics:write alone: switchyard key create tracker --scope analytics:write
// Run it behind your web server, under the site's own address: /tracker.js and /collect.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { SWITCHYARD_URL, SWITCHYARD_TOKEN_FILE, SITE_ORIGIN, PORT = '8788' } = process.env;
for (const [name, value] of Object.entries({ SWITCHYARD_URL, SWITCHYARD_TOKEN_FILE, SITE_ORIGIN })) {
  if (value === undefined) throw new Error(`${name} is missing`);
}
const token = readFileSync(SWITCHYARD_TOKEN_FILE, 'utf8').trim();
const tracker = readFileSync(new URL('tracker.js', import.meta.url));
const maxBytes = 256 * 1024;

async function answer(request, response) {
  if (request.method === 'GET' && request.url === '/tracker.js') {
    return response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(tracker);
  }
  if (request.method !== 'POST' || request.url !== '/collect') return response.writeHead(404).end();
  // Pages of other sites would fill your funnels.
  if (request.headers.origin !== SITE_ORIGIN) return response.writeHead(403).end();
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBytes) return response.writeHead(413, { Connection: 'close' }).end();
    chunks.push(chunk);
  }
  const sent = await fetch(`${SWITCHYARD_URL}/v1/analytics/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: Buffer.concat(chunks),
    signal: AbortSignal.timeout(10_000),
  });
  if (!sent.ok) process.stderr.write(`events were not stored: ${sent.status} ${await sent.text()}\n`);
  // The browser learns whether to send again, and nothing else.
  return response.writeHead(sent.ok ? 204 : sent.status === 400 ? 400 : 503).end();
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    process.stderr.write(`events were not stored: ${error.message}\n`);
    if (!response.headersSent) response.writeHead(503).end();
  });
}).listen(Number(PORT), '127.0.0.1');
