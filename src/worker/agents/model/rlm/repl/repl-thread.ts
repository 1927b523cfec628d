// The thread of a REPL: runs blocks in QuickJS and waits, without an event loop, while the worker answers their calls.
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { z } from 'zod';
import { openGuest } from './guest.ts';
import { threadData, toThread, type FromThread, type HostReply } from './protocol.ts';

const received = z.object({ message: toThread });

/** Waits for the answer to a call; nothing else can arrive before it. */
function waitForReply(port: MessagePort, counter: Int32Array): HostReply {
  for (;;) {
    const seen = Atomics.load(counter, 0);
    const found = receiveMessageOnPort(port);
    if (found === undefined) {
      Atomics.wait(counter, 0, seen);
      continue;
    }
    const { message } = received.parse(found);
    if (message.type !== 'reply') throw new Error(`the worker sent ${message.type} while a block waited`);
    return message.reply;
  }
}

async function serveWorker(port: MessagePort): Promise<void> {
  const { signal, ...limits } = threadData.parse(workerData);
  const counter = new Int32Array(signal);
  const post = (message: FromThread): void => port.postMessage(message);
  const guest = await openGuest({
    ...limits,
    callHost(name, args) {
      post({ type: 'call', name, args: [...args] });
      return waitForReply(port, counter);
    },
  });
  port.on('message', (given) => {
    const message = toThread.parse(given);
    if (message.type === 'part') guest.addPart(message.part);
    else if (message.type === 'run') post({ type: 'done', end: guest.run(message.code) });
  });
  post({ type: 'ready' });
}

if (parentPort !== null) await serveWorker(parentPort);
