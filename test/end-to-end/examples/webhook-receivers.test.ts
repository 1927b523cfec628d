// The examples of receivers as somebody would run them: what the service signs gets in, and nobody else's words.
import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createSigner } from '../../../src/domain/webhooks/sign.ts';
import { freePort } from '../../support/process/program.ts';
import { until } from '../../support/until.ts';

const examples = new URL('../../../examples/', import.meta.url).pathname;
const receivers = [
  { program: process.execPath, file: 'webhook-receiver.mjs' },
  { program: 'python3', file: 'webhook-receiver.py' },
];
/** Missing programs are left out, and the name of the test names them. */
const isMissing = (program: string): boolean =>
  process.env['CI'] === undefined && spawnSync(program, ['--version']).error !== undefined;

const body = JSON.stringify({ event: 'task_completed', task_id: 'the-task', status: 'completed' });

for (const { program, file } of receivers) {
  describe.skipIf(isMissing(program))(`examples/${file} (${program.replace(/^.*\//, '')})`, () => {
    it('takes what either of two secrets signed, and no forgery, while another connection says nothing', async () => {
      const port = await freePort();
      const env = { ...process.env, PORT: String(port), WEBHOOK_SIGNING_SECRET: 'the-new-one,the-old-one' };
      const child = spawn(program, [examples + file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      using stop = new DisposableStack();
      stop.defer(() => child.kill());
      const post = async (headers: Record<string, string>): Promise<number> =>
        (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })).status;
      await until('it listens', () => post({}).catch(() => undefined));
      const silent = connect(port, '127.0.0.1');
      stop.defer(() => silent.destroy());
      await once(silent, 'connect');
      for (const secret of ['the-new-one', 'the-old-one']) {
        expect(await post(createSigner([secret])({ id: 'x', atSeconds: 1, body }))).toBe(204);
      }
      const empty = createHmac('sha256', '').update(body).digest('hex');
      const fullSignature = createHmac('sha256', env.WEBHOOK_SIGNING_SECRET).update(body).digest('hex');
      for (const forged of [`sha256=${empty}`, `sha256=${fullSignature}`, 'sha256=', '\u00e9', '']) {
        expect(await post({ 'x-service-signature': forged })).toBe(401);
      }
      child.kill();
      expect(await text(child.stdout)).toBe('x the-task completed\n'.repeat(2));
    });

    it('does not start without a secret', () => {
      const env = { ...process.env, PORT: '0', WEBHOOK_SIGNING_SECRET: '' };
      const { status, stderr } = spawnSync(program, [examples + file], { env, timeout: 60_000, encoding: 'utf8' });
      expect([status, stderr.includes('WEBHOOK_SIGNING_SECRET is missing')]).toEqual([1, true]);
    });
  });
}

describe.skipIf(isMissing('openssl'))('examples/verify-webhook.sh (openssl)', () => {
  it.each([
    ['the-new-one,the-old-one', 'the-old-one', 0],
    ['the-new-one', 'the-old-one', 1],
    ['', '', 2],
  ])('with the secret %j says of what %j signed: %i', (known, signed, expected) => {
    const signature = `sha256=${createHmac('sha256', signed).update(body).digest('hex')}`;
    const env = { ...process.env, WEBHOOK_SIGNING_SECRET: known };
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-example-'));
    using clear = new DisposableStack();
    clear.defer(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'body.json');
    writeFileSync(file, body);
    expect(spawnSync('sh', [`${examples}verify-webhook.sh`, file, signature], { env }).status).toBe(expected);
  });
});
