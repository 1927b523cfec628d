// For tests of A2A: calls and streams as a plain HTTP client makes them, and the protocol's own schema.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import { createParser } from 'eventsource-parser';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import type { CallOptions, ManualWorker, TestService, ApiReply } from '../service.ts';

export const rpcPaths = ['/a2a/jsonrpc', '/v1/a2a', '/'] as const;

export interface RpcOptions extends CallOptions {
  readonly path?: string;
  readonly id?: string | number;
}

/** A call as `editor` on /a2a/jsonrpc with id 1 by default. */
export function rpc(
  service: TestService,
  method: string,
  params?: unknown,
  options: RpcOptions = {},
): Promise<ApiReply> {
  const { path = '/a2a/jsonrpc', id = 1, ...call } = options;
  return service.call('POST', path, { as: 'editor', body: { jsonrpc: '2.0', id, method, params }, ...call });
}

let count = 0;

/** A message as the document has it: an id of its own, and one text. */
export function message(text = 'do it', fields: Record<string, unknown> = {}): Record<string, unknown> {
  count += 1;
  return { kind: 'message', messageId: `m-${count}`, role: 'user', parts: [{ kind: 'text', text }], ...fields };
}

/** Sends a message that makes a task; answers the task. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function sent(service: TestService, fields: Record<string, unknown> = {}, params = {}): Promise<any> {
  const reply = await rpc(service, 'message/send', { message: message('do it', fields), ...params });
  if (reply.body.result === undefined) throw new Error(`not sent: ${JSON.stringify(reply.body)}`);
  return reply.body.result;
}

export async function claimed(worker: ManualWorker, taskId: string): Promise<AssignmentWire> {
  const [assignment] = await worker.claim(1, taskId);
  if (assignment === undefined) throw new Error('nothing claimed');
  return assignment;
}

export interface RpcFrame {
  readonly id: string | undefined;
  // The envelope of any frame: tests look at what they expect of it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

export interface OpenStream extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /** The next frame; undefined at the end. */
  next(): Promise<RpcFrame | undefined>;
  /** All frames that are left, to the end. */
  rest(): Promise<RpcFrame[]>;
  /** Leaves, as a client that goes away. */
  leave(): void;
}

export async function openRpcStream(
  service: TestService,
  method: string,
  params: unknown,
  options: { path?: string; headers?: Record<string, string>; token?: string; id?: number } = {},
): Promise<OpenStream> {
  const gone = new AbortController();
  const response = await fetch(`${service.url}${options.path ?? '/a2a/jsonrpc'}`, {
    method: 'POST',
    signal: gone.signal,
    headers: {
      authorization: `Bearer ${options.token ?? service.token('editor')}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...options.headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: options.id ?? 1, method, params }),
  });
  const frames = framesOf(response);
  const next = async (): Promise<RpcFrame | undefined> => {
    const { value } = await frames.next();
    return value ?? undefined;
  };
  return {
    status: response.status,
    headers: response.headers,
    next,
    async rest() {
      const left: RpcFrame[] = [];
      for (let frame = await next(); frame !== undefined; frame = await next()) left.push(frame);
      return left;
    },
    leave: () => gone.abort(),
    async [Symbol.asyncDispose]() {
      await frames.return();
      gone.abort();
    },
  };
}

async function* framesOf(response: Response): AsyncGenerator<RpcFrame, void, undefined> {
  const parsed: RpcFrame[] = [];
  const parser = createParser({ onEvent: ({ id, data }) => parsed.push({ id, data: JSON.parse(data) }) });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* parsed.splice(0);
  }
}

const schema = JSON.parse(readFileSync(resolve(import.meta.dirname, 'fixtures/a2a-v0.3.0.schema.json'), 'utf8'));
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema(schema, 'a2a');

/** The violations of a value by the protocol's own schema; empty when it is valid. */
export function faults(definition: string, value: unknown): string[] {
  const validate = ajv.getSchema(`a2a#/definitions/${definition}`);
  if (validate === undefined) throw new Error(`no definition ${definition}`);
  void validate(value);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
