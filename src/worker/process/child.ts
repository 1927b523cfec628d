// Runs one program to its end: own session, prompt on stdin or none, output pulled at the reader's speed, nothing left.
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { ChildExit } from './child-exit.ts';
import { toProcessTree } from './containment.ts';
import { terminateTree } from './kill.ts';
import { startProgram, type ProgramStartOptions } from './start-program.ts';
import { sleep, whenAborted } from '../../lib/wait.ts';

export interface ChildOptions extends Omit<ProgramStartOptions, 'stdin'> {
  /**
   * Written to the program's stdin, which is then closed; pieces are written as they come, at the program's speed.
   * Without it stdin is empty from the start.
   */
  stdin: string | AsyncIterable<string> | undefined;
  /** Gets decoded text; the program is not read any further until it resolves. */
  onText: (stream: 'stdout' | 'stderr', text: string) => Promise<void>;
  /** Ends the program and all it has started. */
  signal: AbortSignal;
  /** Time between SIGTERM and SIGKILL. */
  killGraceMs: number;
}

export interface ChildEnd {
  exit: ChildExit;
  /** Whether `signal` ended it: it had not ended by itself before. */
  stopped: boolean;
}

/** How long a pipe may stay silent and open once every process of the run that we can find is gone. */
const silentPipeMs = 1_000;
/** A pipe holds less than this: more comes from somebody out of reach, who may write for ever. */
const leftInPipeBytes = 2 * 1024 * 1024;
/** How often such a one is found to have written a little more. */
const leftInPipeChecks = 5;

/** Resolves when all is written, or the program is gone. @throws what the pieces throw */
async function feed(stdin: Writable | null, text: ChildOptions['stdin'], gone: AbortSignal): Promise<void> {
  if (stdin === null) return;
  // EPIPE: a program that does not read its prompt; what that means shows in its exit and its output.
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
      // What the pipe does not hold waits here, unless the program has gone.
      if (!stdin.write(next.value)) await Promise.race([once(stdin, 'drain', { signal: gone }).catch(() => []), over]);
    }
  } finally {
    stdin.end();
    // Not awaited: pieces that wait for a program that has gone may never hear of it.
    void pieces.return?.()?.catch(() => undefined);
  }
}

interface Pump {
  done: Promise<void>;
  /**
   * Gives up a pipe that somebody out of reach holds open, once what the run left in it has been taken: silent, or with
   * more in it than the run can have left.
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
      // A slow reader may take its time over what is there.
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
 * Starts a program, streams what it writes and waits for its end; then ends whatever of it is left.
 * @throws what `onText` throws, after every process of the run has been ended
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
