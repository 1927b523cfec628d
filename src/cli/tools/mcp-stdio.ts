// The bridge of `mcp stdio`: one message per line on standard input and output, each posted to the service. It knows no
// method of the protocol and passes every response through, whichever revision the client speaks.
import { createInterface } from 'node:readline';
import { createSseReader } from '../../client/sse.ts';
import { z } from 'zod';
import { problem } from '../../contracts/common.ts';
import type { Connection } from '../core/connection.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';

export interface BridgeIo {
  readonly input: NodeJS.ReadableStream;
  readonly output: (line: string) => void;
  readonly fetch: typeof fetch;
  readonly version: string;
}

const id = z.union([z.string(), z.number()]);
const message = z.looseObject({
  id: id.optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
});
type Message = z.output<typeof message>;

const initialized = z.object({ result: z.object({ protocolVersion: z.string() }) });
/** The header in which stateless revisions repeat a field of the message. */
const versionKey = 'io.modelcontextprotocol/protocolVersion';
/** JSON-RPC error codes: the client's line is not JSON; the service cannot be reached. */
const [parseCode, internalCode] = [-32_700, -32_603];

/** Ends when the input ends; running calls are aborted, because nobody reads their answers. @throws nothing */
export async function bridge(connection: Connection, io: BridgeIo): Promise<void> {
  const state = { version: undefined as string | undefined };
  const ended = new AbortController();
  const running = new Map<string, AbortController>();
  const pending = new Set<Promise<void>>();
  const lines = createInterface({ input: io.input, crlfDelay: Infinity });
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const read = readMessage(line);
    if (read === undefined) {
      writeMessage(io, {
        id: null,
        error: { code: parseCode, message: 'Parse error: this line is not a JSON-RPC message.' },
      });
      continue;
    }
    const cancelled =
      read.method === 'notifications/cancelled' ? id.safeParse(read.params?.['requestId']).data : undefined;
    if (cancelled !== undefined) running.get(requestKey(cancelled))?.abort();
    const controller = new AbortController();
    if (read.id !== undefined) running.set(requestKey(read.id), controller);
    const signal = AbortSignal.any([ended.signal, controller.signal]);
    const done = forwardMessage(connection, io, state, { message: read, line, signal }).finally(() => {
      pending.delete(done);
      if (read.id !== undefined && running.get(requestKey(read.id)) === controller) running.delete(requestKey(read.id));
    });
    pending.add(done);
    // Later messages need the revision that this one negotiates.
    if (read.method === 'initialize') await done;
  }
  ended.abort();
  await Promise.all(pending);
}

function requestKey(requestId: string | number): string {
  return JSON.stringify(requestId);
}

function readMessage(line: string): Message | undefined {
  return message.safeParse(tryParseJson(line)).data;
}

function writeMessage(io: BridgeIo, payload: Record<string, unknown>): void {
  io.output(JSON.stringify({ jsonrpc: '2.0', ...payload }));
}

interface ReadLine {
  readonly message: Message;
  /** The message as the client wrote it. */
  readonly line: string;
  readonly signal: AbortSignal;
}

/** Posts one message and writes the response. */
async function forwardMessage(
  { url, token }: Connection,
  io: BridgeIo,
  state: { version: string | undefined },
  { message: { id: requestId, method, params }, line, signal }: ReadLine,
): Promise<void> {
  try {
    const version = versionIn(params) ?? (method === 'initialize' ? undefined : state.version);
    const name = params?.['name'] ?? params?.['uri'];
    const response = await io.fetch(`${url}/mcp`, {
      method: 'POST',
      signal,
      redirect: 'manual',
      body: line,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'user-agent': `switchyard-cli/${io.version}`,
        ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
        ...(method === undefined ? {} : { 'mcp-method': method }),
        ...(typeof name === 'string' && /^[\x21-\x7e]+$/.test(name) ? { 'mcp-name': name } : {}),
      },
    });
    const write = (text: string): void => {
      state.version = initialized.safeParse(tryParseJson(text)).data?.result.protocolVersion ?? state.version;
      io.output(text);
    };
    if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      await passEvents(response, write);
      return;
    }
    const text = await response.text();
    const parsed = tryParseJson(text);
    if (typeof parsed === 'object' && parsed !== null && ('result' in parsed || 'error' in parsed))
      write(JSON.stringify(parsed));
    else if (requestId !== undefined) writeRefusal(io, requestId, response.status, parsed);
  } catch (error) {
    if (signal.aborted || requestId === undefined) return;
    const why = error instanceof Error ? error.message : String(error);
    writeMessage(io, { id: requestId, error: { code: internalCode, message: `No service at ${url}: ${why}` } });
  }
}

function versionIn(params: Message['params']): string | undefined {
  const meta = z.looseObject({}).safeParse(params?.['_meta']).data;
  const named = meta?.[versionKey];
  return typeof named === 'string' ? named : undefined;
}

/** Converts an HTTP error to a JSON-RPC error. */
function writeRefusal(io: BridgeIo, requestId: string | number, status: number, responseBody: unknown): void {
  const parsed = problem.safeParse(responseBody).data;
  const text = parsed?.detail ?? `The service answered ${status}.`;
  const data = parsed === undefined ? { status } : { status, code: parsed.code };
  writeMessage(io, { id: requestId, error: { code: internalCode, message: text, data } });
}

async function passEvents(response: Response, write: (text: string) => void): Promise<void> {
  const reader = createSseReader({ onFrame: ({ data }) => void (data === '' || write(data)) });
  for await (const chunk of response.body ?? []) reader.feed(chunk);
}
