// Receives webhooks on port 8787 and verifies them: X-Service-Signature is an HMAC over the bytes as they came.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

// As the service has it: while a secret is exchanged it is a comma list, of which the service signs with the first.
const secrets = (process.env.WEBHOOK_SIGNING_SECRET ?? '').split(',').filter((secret) => secret !== '');
// An empty key is one that everybody knows.
if (secrets.length === 0) throw new Error('WEBHOOK_SIGNING_SECRET is missing');

function isOurs(body, signature) {
  const given = Buffer.from(signature ?? '');
  return secrets.some((secret) => {
    const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

async function receive(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isOurs(body, request.headers['x-service-signature'])) return response.writeHead(401).end();
  // A delivery may arrive more than once, with the same webhook-id.
  const { task_id, status } = JSON.parse(body.toString('utf8'));
  process.stdout.write(`${String(request.headers['webhook-id'])} ${task_id} ${status}\n`);
  return response.writeHead(204).end();
}

createServer((request, response) => {
  receive(request, response).catch(() => response.writeHead(400).end());
}).listen(Number(process.env.PORT ?? 8787), '127.0.0.1');
