// Runs one program until it ends: own session, optional stdin, output read at the consumer's speed, no process left.
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { ChildExit } from './child-exit.ts';
import { toProcessTree } from './containment.ts';
import { terminateTree } from './kill.ts';
import { startProgram, type ProgramStartOptions } from './start-program.ts';
import { sleep, whenAborted } from '../../lib/wait.ts';

export interface ChildOptions extends Omit<ProgramStartOptions, 'stdin'> {
  /**
   * Written to the program's stdin, which is then closed; pieces are written at the program's speed. Undefined: stdin
   * is empty.
   */
  readonly stdin: string | AsyncIterable<string> | undefined;
  /** Gets decoded text; the program's output is not read any further until it resolves. */
  readonly onText: (stream: 'stdout' | 'stderr', text: string) => Promise<void>;
  /** Ends the program and all processes it has started. */
  readonly signal: AbortSignal;
  /** Time between SIGTERM and SIGKILL. */
  readonly killGraceMs: number;
}

export interface ChildEnd {
  readonly exit: ChildExit;
  /** Whether `signal` ended it, and not the program itself. */
  readonly stopped: boolean;
}

/** How long a pipe may stay silent and open once every process of the attempt that can be found is gone. */
const silentPipeMs = 1_000;
/** More than a pipe can hold: whatever exceeds it is written by a process out of reach, which may write for ever. */
const leftInPipeBytes = 2 * 1024 * 1024;
/** How often such a process may be found to have written a little more. */
const leftInPipeChecks = 5;

/** Resolves when all is written, or the program is gone. @throws what the pieces throw */
async function feed(stdin: Writable | null, text: ChildOptions['stdin'], gone: AbortSignal): Promise<void> {
  if (stdin === null) return;
  // EPIPE: the program does not read its prompt; its exit and its output show the consequences.
  stdin.on('error', () => undefined);
  if (text === undefined || typeof text === 'string') {
    stdin.end(text);
    return;
  }
  const over = whenAborted(gone);
  const pieces = text[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([pieces.next(), over]);
      if (next === undefined || next.done === true) return;
      // Waits until the pipe has room, or the program is gone.
      if (!stdin.write(next.value)) await Promise.race([once(stdin, 'drain', { signal: gone }).catch(() => []), over]);
    }
  } finally {
    stdin.end();
    // This is not awaited: an iterable that waits for the ended program may never return.
    void pieces.return?.()?.catch(() => undefined);
  }
}

interface Pump {
  readonly done: Promise<void>;
  /**
   * Gives up a pipe that a process out of reach holds open, once the attempt's own output was read: the pipe is silent,
   * or holds more than the attempt can have written.
   */
  abandonWhenTaken(): Promise<void>;
}

function startPump(stream: Readable, onText: (text: string) => Promise<void>): Pump {
  const decoder = new TextDecoder('utf-8');
  const count = { read: 0, taken: 0, bytes: 0 };
  let abandoned = false;
  const ended = new AbortController();

  async function take(text: string): Promise<void> {
    if (text !== '') await onText(text);
  }

  async function run(): Promise<void> {
    try {
      for await (const chunk of stream) {
        count.read += 1;
        if (Buffer.isBuffer(chunk)) {
          count.bytes += chunk.length;
          await take(decoder.decode(chunk, { stream: true }));
        }
        count.taken += 1;
      }
    } catch (error) {
      if (!abandoned) throw error;
    } finally {
      ended.abort();
    }
    await take(decoder.decode());
  }

  return {
    done: run(),
    async abandonWhenTaken() {
      const most = count.bytes + leftInPipeBytes;
      let [seen, checks] = [-1, 0];
      // A slow consumer may take its time over the remaining output.
      const isLeft = (): boolean => count.taken < count.read || (seen < count.read && checks < leftInPipeChecks);
      while (!ended.signal.aborted && count.bytes < most && isLeft()) {
        if (count.taken === count.read) checks += 1;
        seen = count.read;
        await sleep(silentPipeMs, ended.signal);
      }
      abandoned = !ended.signal.aborted;
      if (abandoned) stream.destroy();
    },
  };
}

/**
 * Starts a program, streams its output and waits for its end; then ends every process that is left.
 * @throws what `onText` throws, after every process of the attempt has been ended
 */
export async function runChild(options: ChildOptions): Promise<ChildEnd> {
  const { contained } = options;
  const started = startProgram({ ...options, stdin: options.stdin === undefined ? 'ignore' : 'pipe' });
  const { exit, leader, stdin, stdout, stderr } = started;
  if (leader === undefined || stdout === null || stderr === null) return { exit: await exit, stopped: false };
  const tree = toProcessTree(contained, leader);
  const broken = new AbortController();
  const stop = AbortSignal.any([options.signal, broken.signal]);
  let failure: { error: unknown } | undefined;
  const guard = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      failure ??= { error };
      broken.abort();
    }
  };
  const gone = new AbortController();
  const feeding = guard(feed(stdin, options.stdin, gone.signal));
  const pumps = [
    startPump(stdout, (text) => options.onText('stdout', text)),
    startPump(stderr, (text) => options.onText('stderr', text)),
  ];
  const pumping = pumps.map(({ done }) => guard(done));

  const stopped = await Promise.race([exit.then(() => false), whenAborted(stop).then(() => true)]);
  await terminateTree(tree, options.killGraceMs);
  const ending = await exit;
  gone.abort();
  await Promise.all([feeding, ...pumping, ...pumps.map((pump) => pump.abandonWhenTaken())]);
  if (failure) throw failure.error;
  return { exit: ending, stopped };
}
