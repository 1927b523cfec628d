// A receiver of webhooks on loopback: counts what arrives, byte by byte, and behaves as its path says.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { until } from '../until.ts';

export interface Arrival {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  // The body as JSON: tests look at what they expect of it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
  readonly at: number;
}

/** The behaviour of a path, by its first word; anything else answers 204. `…-once` misbehaves the first time for each id. */
const behaviours: Record<string, (response: ServerResponse) => void> = {
  'answer-500': (response) => response.writeHead(500).end('no'),
  'answer-410': (response) => response.writeHead(410).end(),
  hang: () => {},
  reset: (response) => response.destroy(),
  redirect: (response) => response.writeHead(302, { location: '/decoy' }).end(),
  /** A status, and then a body without an end. */
  endless: (response) => {
    response.writeHead(200);
    const more = (): void => {
      while (response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  },
  /** Headers, and then nothing more. */
  drip: (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('a');
  },
  /** Announces more than it sends. */
  short: (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('a', () => response.destroy());
  },
  garbage: (response) => response.socket?.end('this is no HTTP\r\n\r\n'),
};

export interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly arrivals: Arrival[];
  /** Requests that are under way, and the most there were at once. */
  readonly open: { now: number; most: number };
  on(path: string): Arrival[];
  /** Waits until so many have arrived on a path. */
  arrived(path: string, count?: number): Promise<Arrival[]>;
}

export async function openReceiver(): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const open = { now: 0, most: 0 };
  const known = new Set<string>();
  const server = createServer((request, response) => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.on('close', () => (open.now -= 1));
    // Owned: a request that breaks off ends here.
    void serve(request, response).catch(() => response.destroy());
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, bytes } = await take(request);
    const path = request.url ?? '';
    arrivals.push({ path, headers, bytes, json: parsed(bytes), at: Date.now() });
    const [word = ''] = path.slice(1).split('/');
    const key = `${path} ${headers['webhook-id'] ?? ''}`;
    const isFirst = !known.has(key);
    known.add(key);
    const misbehave = word.endsWith('-once') && !isFirst ? undefined : behaviours[word.replace(/-once$/, '')];
    if (misbehave === undefined) response.writeHead(204).end();
    else misbehave(response);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const on = (path: string): Arrival[] => arrivals.filter((arrival) => arrival.path === path);
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    arrivals,
    open,
    on,
    arrived: (path, count = 1) => until(`${count} on ${path}`, () => on(path).length >= count && on(path)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function take(request: IncomingMessage): Promise<Pick<Arrival, 'headers' | 'bytes'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { headers, bytes: Buffer.concat(chunks) };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
