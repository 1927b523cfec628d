// The client in a browser: it uses no Node API, follows a task there, and resumes after the connection breaks.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { chromiumProgram, launchChromium } from '../support/peers/chromium.ts';
import { temporaryFolder } from '../support/process/program.ts';
import { openService } from '../support/service.ts';
import { until } from '../support/until.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The folders of the libraries that the client imports. */
const libraries: Record<string, string> = {
  'openapi-fetch': 'node_modules/openapi-fetch/dist',
  'eventsource-parser': 'node_modules/eventsource-parser/dist',
};
const page = `<!doctype html><script type="importmap">
{"imports": {
  "openapi-fetch": "/lib/openapi-fetch/index.mjs",
  "eventsource-parser": "/lib/eventsource-parser/index.js"
}}
</script>`;

interface Origin extends AsyncDisposable {
  readonly url: string;
  /** The `Last-Event-ID` of each stream that was opened. */
  readonly resumes: (string | undefined)[];
  /** Breaks the streams that are open. */
  cut(): void;
}

/** One origin, as a real page has: the page, the compiled client, its libraries, and the service for everything else. */
async function openOrigin(built: string, service: string): Promise<Origin> {
  const resumes: (string | undefined)[] = [];
  const streams = new Set<ServerResponse>();
  const serveFile = async (file: string, response: ServerResponse): Promise<void> => {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(await readFile(file));
  };
  const forward = (request: IncomingMessage, response: ServerResponse): void => {
    const isStream = request.headers.accept === 'text/event-stream';
    if (isStream) {
      resumes.push(request.headers['last-event-id']?.toString());
      streams.add(response);
    }
    const { method, headers } = request;
    const sent = httpRequest(`${service}${request.url ?? ''}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    response.on('close', () => sent.destroy());
    request.pipe(sent);
  };
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    const [, name = '', file = ''] = /^\/lib\/([^/]+)\/([^/]+)$/.exec(url) ?? [];
    const library = libraries[name];
    if (library !== undefined) void serveFile(path.join(root, library, file), response);
    else if (url.startsWith('/client/')) void serveFile(path.join(built, url), response);
    else if (url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    else forward(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    resumes,
    cut: () => streams.forEach((response) => response.destroy()),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

it.skipIf(chromiumProgram === undefined)(
  'the client follows a task in a browser and resumes by Last-Event-ID [ui-3.3.7]',
  async () => {
    await using folder = await temporaryFolder();
    // This project has no Node types, so an import of Node's does not compile.
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    const project = path.join(root, 'tsconfig.client.json');
    await promisify(execFile)(process.execPath, [compiler, '-p', project, '--outDir', folder.path]);
    await using service = await openService();
    await using origin = await openOrigin(folder.path, service.url);
    const browser = await launchChromium();
    await using stop = new AsyncDisposableStack();
    stop.defer(() => browser.close());
    const tab = await browser.newPage();
    await tab.goto(origin.url);

    const worker = await service.worker();
    const task = await service.task();
    const [assignment] = await worker.claim(1, task.id);
    if (assignment === undefined) throw new Error('not claimed');
    const script = `(async () => {
    const { createClient } = await import('/client/client.js');
    const { followTask } = await import('/client/follow.js');
    const client = createClient({ url: location.origin, token: ${JSON.stringify(service.token('viewer'))} });
    globalThis.seen = [];
    for await (const event of followTask({ client, taskId: ${JSON.stringify(task.id)} })) seen.push(event);
    return seen;
  })()`;
    const followed = tab.evaluate(script);
    await until('its first events', async () => (await tab.evaluate<number>('globalThis.seen?.length ?? 0')) >= 2);
    origin.cut();
    await until('the second stream', () => origin.resumes.length > 1);
    await worker.report(assignment, [{ type: 'output', n: 1, stream: 'stdout', text: 'grüße\n' }]);
    await worker.release(assignment, { status: 'completed', result: 'ok' });

    const log = await service.call('GET', `/v1/agent/tasks/${task.id}/events?limit=1000`);
    expect(await followed).toEqual(log.body.events);
    expect(origin.resumes.slice(0, 2)).toEqual([undefined, expect.stringMatching(/^\d+$/)]);
  },
);
