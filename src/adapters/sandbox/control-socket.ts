// Descriptors between the service and a sandbox that is starting.
import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** A bidirectional descriptor of a child process. @throws Error when the process was started without it */
export function socketAt(child: ChildProcess, fd: number): Socket {
  const stream = child.stdio[fd];
  if (!(stream instanceof Socket)) throw new Error(`descriptor ${fd} is no pipe`);
  // A process that ends early breaks the pipe; its exit has the reason.
  stream.on('error', () => undefined);
  return stream;
}

/**
 * Reads until the text is complete.
 * @param isComplete judges all text received so far
 * @throws Error when the stream ends before, the text is too long, or the signal aborts
 */
export function readUntil(
  stream: Readable,
  isComplete: (text: string) => boolean,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const done = (settle: () => void): void => {
      stream.off('data', take);
      stream.off('close', onEnd);
      stream.off('end', onEnd);
      signal.removeEventListener('abort', onTimeout);
      settle();
    };
    const take = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      if (isComplete(text)) done(() => resolve(text));
      else if (text.length > 64 * 1024) done(() => reject(new Error('the sandbox wrote too much before it was ready')));
    };
    const onEnd = (): void => done(() => reject(new Error('the sandbox ended before it was ready')));
    const onTimeout = (): void => done(() => reject(new Error('the sandbox was not ready in time')));
    stream.on('data', take);
    stream.on('close', onEnd);
    stream.on('end', onEnd);
    signal.addEventListener('abort', onTimeout, { once: true });
    if (signal.aborted) onTimeout();
  });
}
