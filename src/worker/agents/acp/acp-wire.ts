// The pipes of an Agent Client Protocol program, as the message stream that the SDK works on.
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { createLineSplitter, parseObject } from '../output/json-lines.ts';

/** The fields of a message that the wire reads. */
const envelope = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});

/** Most unanswered requests of a program; beyond them its output is not read any further. */
const maxOpenRequests = 16;

export interface AcpWireOptions {
  /** Gets the parameters of each `session/update`, in order. */
  onUpdate(params: unknown): void;
  /** Gets each line that is not a message. */
  onLine(line: string): void;
}

export interface AcpWire {
  /** For the SDK. */
  readonly stream: Stream;
  /** Text for the program's stdin; it ends with `end`. */
  readonly outgoing: AsyncIterable<string>;
  /** Takes output from the program's stdout. Resolves when there is room for more. */
  take(text: string): Promise<void>;
  /** The raw result of our last request of a method: the SDK's parser drops fields that it does not know. */
  readonly rawResult: (method: string) => unknown;
  /** Closes the wire: nothing more is sent or received. */
  readonly end: () => void;
}

interface Piece {
  readonly line: string;
  readonly written: () => void;
}

/** Lines for the program, pulled one by one at its speed. */
function createOutgoing(): { lines: AsyncIterable<string>; write(line: string): Promise<void>; end(): void } {
  const waiting: Piece[] = [];
  const over = new AbortController();
  let wake = Promise.withResolvers<void>();
  async function* lines(): AsyncGenerator<string> {
    while (!over.signal.aborted) {
      const piece = waiting.shift();
      if (piece === undefined) {
        await wake.promise;
        wake = Promise.withResolvers();
      } else {
        yield piece.line;
        piece.written();
      }
    }
  }
  return {
    lines: lines(),
    write(line) {
      if (over.signal.aborted) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ line, written: resolve });
      wake.resolve();
      return promise;
    },
    end() {
      over.abort();
      for (const { written } of waiting.splice(0)) written();
      wake.resolve();
    },
  };
}

/** Passes on only the messages that the SDK expects. Any other output is shown or dropped here. */
export function createAcpWire(options: AcpWireOptions): AcpWire {
  const splitter = createLineSplitter();
  const outgoing = createOutgoing();
  const sentMethods = new Map<string | number, string>();
  const results = new Map<string, unknown>();
  const over = new AbortController();
  let open = 0;
  let answered = Promise.withResolvers<void>();
  let incoming: ReadableStreamDefaultController<AnyMessage> | undefined;
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      incoming = controller;
    },
  });
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      if ('method' in message && 'id' in message && message.id !== null) sentMethods.set(message.id, message.method);
      await outgoing.write(`${JSON.stringify(message)}\n`);
      if ('method' in message) return;
      open -= 1;
      answered.resolve();
    },
  });

  const isFull = (): boolean => open > maxOpenRequests && !over.signal.aborted;

  /** Passes on a request of the program, or an answer to one of ours. */
  function deliver(message: z.infer<typeof envelope>): void {
    const { id, method, params, result, error } = message;
    if (method === 'session/update' && id === undefined) {
      options.onUpdate(params);
    } else if (method !== undefined && id !== undefined) {
      open += 1;
      incoming?.enqueue({ jsonrpc: '2.0', id, method, params });
    } else if (method === undefined && id !== undefined && (result !== undefined || error !== undefined)) {
      const sentMethod = sentMethods.get(id);
      if (sentMethod === undefined) return;
      sentMethods.delete(id);
      results.set(sentMethod, result);
      incoming?.enqueue(error === undefined ? { jsonrpc: '2.0', id, result } : { jsonrpc: '2.0', id, error });
    }
  }

  return {
    stream: { readable, writable },
    outgoing: outgoing.lines,
    async take(text) {
      for (const line of splitter.push(text)) {
        if (over.signal.aborted) return;
        const message = envelope.safeParse(parseObject(line.trim())).data;
        if (message === undefined) options.onLine(line);
        else deliver(message);
        while (isFull()) {
          answered = Promise.withResolvers();
          await answered.promise;
        }
      }
    },
    rawResult: (method) => results.get(method),
    end() {
      if (over.signal.aborted) return;
      over.abort();
      outgoing.end();
      answered.resolve();
      incoming?.close();
    },
  };
}
