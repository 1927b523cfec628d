// The only network access of a sandbox: an HTTP proxy (CONNECT, and plain http) that reaches the hosts of the manifest
// and no others. Host names are resolved outside the sandbox only.
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { OutgoingTunnels } from '../../../domain/ports/sandbox.ts';
import { isAllowed, parseTarget, type ProxyTarget } from './proxy-rules.ts';

const maxConnections = 32;
const idleMs = 60_000;

/** Hop-by-hop headers, which a proxy does not forward. RFC 9110 §7.6.1. */
const hopByHop = new Set(['connection', 'proxy-connection', 'proxy-authorization', 'keep-alive', 'te', 'upgrade']);

export class Proxy implements Disposable {
  readonly #http: Server;
  readonly #listener: NetServer;
  readonly #sockets = new Set<Duplex>();
  readonly #stop = new AbortController();
  readonly #tunnels: OutgoingTunnels;
  readonly #hosts: readonly string[];

  /** @param listener bound inside the sandbox's own network */
  constructor(listener: NetServer, hosts: readonly string[], tunnels: OutgoingTunnels) {
    this.#listener = listener;
    this.#hosts = hosts;
    this.#tunnels = tunnels;
    this.#http = createServer({ maxHeaderSize: 16 * 1024 });
    this.#http.on('connect', (request, socket, head) => void this.#connect(request, socket, head));
    this.#http.on('request', (request, response) => void this.#forward(request, response));
    this.#http.on('clientError', (_error, socket) => socket.destroy());
    listener.on('connection', (socket) => this.#take(socket));
    // Accepting fails while descriptors are exhausted; the next connection may succeed.
    listener.on('error', () => undefined);
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
    this.#listener.close();
    this.#http.closeAllConnections();
    for (const socket of this.#sockets) socket.destroy();
  }

  #take(socket: Socket): void {
    if (this.#stop.signal.aborted || this.#sockets.size >= maxConnections * 2) return void socket.destroy();
    this.#track(socket);
    socket.setTimeout(idleMs, () => socket.destroy());
    this.#http.emit('connection', socket);
  }

  #track<T extends Duplex>(socket: T): T {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }

  /** Never rejects: a failure is answered with 403. */
  async #connect({ url = '' }: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    try {
      const far = await this.#open(parseTarget(url, undefined));
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) far.write(head);
      socket.pipe(far).pipe(socket);
      socket.once('close', () => far.destroy());
      far.once('close', () => socket.destroy());
    } catch (error) {
      socket.end(`HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${reasonOf(error)}\n`);
    }
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = URL.parse(request.url ?? '');
      if (url?.protocol !== 'http:' || url.username !== '')
        throw new Error('This proxy supports http:// URLs and CONNECT only.');
      const far = await this.#open(parseTarget(url.host, 80));
      const kept = Object.entries(request.headers).filter(([name]) => !hopByHop.has(name));
      const headers = { ...Object.fromEntries(kept), host: url.host, connection: 'close' };
      const onward = httpRequest({
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers,
        createConnection: () => far,
      });
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.once('close', () => far.destroy());
      request.pipe(onward);
    } catch (error) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end(`${reasonOf(error)}\n`);
    }
  }

  async #open(target: ProxyTarget | undefined): Promise<Duplex> {
    if (target === undefined) throw new Error('The address is malformed: use host:port.');
    if (!isAllowed(target, this.#hosts)) throw new Error('The manifest of this tool does not name this host and port.');
    return this.#track(await this.#tunnels.open(target.host, target.port, this.#stop.signal));
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replaceAll(/[^\x20-\x7e]/g, ' ') : 'refused';
}
