// A kept-alive HTTP/1.1 connection that costs the load generator as little as possible: one request at a time,
// rendered by hand, and of the answer no more than its status and its body are read.
import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token: string;
  readonly body: string;
  readonly idempotencyKey?: string;
  /** Further headers; `accept` and its like. */
  readonly headers?: Readonly<Record<string, string>>;
}

export class HttpConnection implements Disposable {
  readonly #url: URL;
  #socket: Socket | undefined;
  #waiting: PromiseWithResolvers<HttpAnswer> | undefined;
  #received = '';

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Sends one request and reads its response. */
  send({ method, path, token, body, idempotencyKey, headers = {} }: HttpRequest): Promise<HttpAnswer> {
    this.#socket ??= this.#open();
    this.#waiting = Promise.withResolvers();
    const key = idempotencyKey === undefined ? '' : `idempotency-key: ${idempotencyKey}\r\n`;
    const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: ${this.#url.host}\r\nauthorization: Bearer ${token}\r\n${key}${more.join('')}` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      'latin1',
    );
    return this.#waiting.promise;
  }

  /** Servers close idle connections: the next request opens another. */
  #open(): Socket {
    const socket = connect({ host: this.#url.hostname, port: Number(this.#url.port), noDelay: true });
    // Bodies of the bench are ASCII: characters are bytes.
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#onData(text));
    socket.on('close', () => this.#end(socket, new Error('the server closed the connection')));
    socket.on('error', (error) => this.#end(socket, error));
    return socket;
  }

  #end(socket: Socket, error: Error): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.#received = '';
    this.#waiting?.reject(error);
  }

  #onData(text: string): void {
    this.#received = this.#received === '' ? text : this.#received + text;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    if (/\r\ntransfer-encoding: chunked\r\n/i.test(this.#received.slice(0, headEnd + 2))) {
      // Streams of one answer: what is in the chunks is not read.
      if (this.#received.endsWith('\r\n0\r\n\r\n')) this.#answer(headEnd + 4, this.#received.length);
      return;
    }
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) {
      this.#waiting?.reject(new Error(`an answer without a length: ${this.#received.slice(0, headEnd)}`));
      return;
    }
    const end = headEnd + 4 + length;
    if (this.#received.length < end) return;
    this.#answer(headEnd + 4, end);
  }

  #answer(from: number, to: number): void {
    const answer = { status: Number(this.#received.slice(9, 12)), body: this.#received.slice(from, to) };
    this.#received = '';
    this.#waiting?.resolve(answer);
  }

  [Symbol.dispose](): void {
    this.#socket?.destroy();
  }
}

/** The body of an answer with this status. @throws when the status is another */
export function expectStatus(answer: HttpAnswer, status: number): string {
  if (answer.status !== status) throw new Error(`answered ${answer.status}: ${answer.body.slice(0, 500)}`);
  return answer.body;
}
