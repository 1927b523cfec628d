// The example of a website's tracker and collector, in a browser: what a person does there arrives, once, and no token leaves.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import path from 'node:path';
import { expect, it } from 'vitest';
import { chromiumProgram, launchChromium } from '../../support/peers/chromium.ts';
import { freePort, temporaryFolder } from '../../support/process/program.ts';
import { openService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const collectorFile = new URL('../../../examples/analytics/collector.mjs', import.meta.url).pathname;

/** A website of one page: `/tracker.js` and `/collect` are the collector's. */
async function openSite(
  collectorPort: number,
): Promise<Disposable & { readonly origin: string; readonly sent: string[] }> {
  const sent: string[] = [];
  const server = createServer((request, response) => {
    const { method, url = '/', headers } = request;
    if (url !== '/tracker.js' && url !== '/collect') {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Shop</title><script src="/tracker.js" defer></script>');
      return;
    }
    sent.push(JSON.stringify(headers));
    const forwarded = httpRequest({ host: '127.0.0.1', port: collectorPort, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.writeHead(502).end());
    request.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    sent,
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

it.skipIf(chromiumProgram === undefined)(
  'examples/analytics records a visit, a campaign, an identification and a sale of a browser',
  async () => {
    await using service = await openService();
    await using folder = await temporaryFolder();
    const key = await service.call('POST', '/v1/auth/api-keys', {
      as: 'editor',
      body: { name: 'tracker', scopes: ['analytics:write'] },
    });
    const tokenFile = path.join(folder.path, 'key.txt');
    await writeFile(tokenFile, `${key.body.key}\n`);
    const port = await freePort();
    using site = await openSite(port);
    const env = {
      SWITCHYARD_URL: service.url,
      SWITCHYARD_TOKEN_FILE: tokenFile,
      SITE_ORIGIN: site.origin,
      PORT: String(port),
    };
    const collector = spawn(process.execPath, [collectorFile], { env, stdio: 'ignore' });
    await using stop = new AsyncDisposableStack();
    stop.defer(async () => {
      collector.kill();
      if (collector.exitCode === null) await once(collector, 'exit');
    });
    const collect = (origin: string): Promise<number | undefined> =>
      fetch(`http://127.0.0.1:${port}/collect`, { method: 'POST', headers: { origin }, body: '{"batch": []}' }).then(
        ({ status }) => status,
        () => undefined,
      );
    expect(await until('the collector listens', () => collect('https://evil.example'))).toBe(403);
    expect(await collect(site.origin)).toBe(400);

    const browser = await launchChromium();
    stop.defer(() => browser.close());
    const page = await browser.newPage();
    const scripts = async (...lines: string[]): Promise<void> => {
      for (const line of lines) await page.evaluate(line);
    };
    await page.goto(`${site.origin}/start?utm_source=news&utm_medium=cpc&utm_campaign=spring&gclid=g1`);
    await scripts(`analytics.track('signup_started')`, `analytics.identify('ada', { plan: 'pro' })`);
    // The page is left at once: what it has not sent yet goes with it.
    await page.goto(`${site.origin}/thanks`);
    await scripts(`analytics.track('paid', { value: 49, currency: 'EUR' })`);
    const found = await until('all has arrived', async () => {
      const { status, body } = await service.call('GET', '/v1/analytics/attribution/ada', { as: 'operator' });
      return status === 200 && body.conversions.length === 1 && body;
    });
    expect(found.touches).toMatchObject([{ channel: 'paid', source: 'news', medium: 'cpc', campaign: 'spring' }]);
    expect(found.conversions).toMatchObject([{ event: 'paid', value: 49, last_touch: { channel: 'paid' } }]);
    await until('the second page view has arrived', async () => {
      const rows = await service.db.query<{ event: string }>('select event from analytics_events');
      return rows.length === 5;
    });
    const events = await service.db.query<{ event: string }>(
      'select event from analytics_events order by at, event_id',
    );
    expect(events.map(({ event }) => event).toSorted()).toEqual([
      'identify',
      'page_view',
      'page_view',
      'paid',
      'signup_started',
    ]);
    expect(site.sent.join('\n')).not.toContain('earer');
  },
);
