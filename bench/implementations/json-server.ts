// A minimal JSON server on bare node:http.
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

const restMs = 600_000;

export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A listener that parses each body, calls `answer` and sends its result. A failure is a 500 with its message. */
export function jsonServer(answer: (path: string, body: unknown) => Promise<JsonAnswer>): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    // Owned: reply answers a failure too.
    request.on('end', () => void reply(request.url ?? '', Buffer.concat(chunks), answer, response));
  };
}

async function reply(
  path: string,
  request: Buffer,
  answer: (path: string, body: unknown) => Promise<JsonAnswer>,
  response: ServerResponse,
): Promise<void> {
  const { status, body } = await answerOrError(path, request, answer);
  const text = JSON.stringify(body);
  const type = 'application/json; charset=utf-8';
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
}

async function answerOrError(
  path: string,
  body: Buffer,
  answer: (path: string, body: unknown) => Promise<JsonAnswer>,
): Promise<JsonAnswer> {
  try {
    return await answer(path, JSON.parse(body.toString()));
  } catch (error) {
    return { status: 500, body: { error: error instanceof Error ? error.message : String(error) } };
  }
}

/** Listens on a free loopback port and keeps idle connections open. @returns its address */
export async function listenOnLoopback(server: Server): Promise<string> {
  server.keepAliveTimeout = restMs;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return `http://127.0.0.1:${address.port}`;
}
