// Process: BullMQ's add, called in-process, on a Redis that syncs each write.
import { Queue } from 'bullmq';
import { z } from 'zod';
import { drive } from '../measure/round.ts';
import { serveCommands } from '../serve-commands.ts';
import { taskBody } from '../bodies/task-body.ts';

const openInput = z.object({ socket: z.string() });
const roundInput = z.object({ callers: z.number(), durationMs: z.number() });
let queue: Queue | undefined;

serveCommands(
  {
    async open(input) {
      const { socket } = openInput.parse(input);
      const opened = new Queue('task', { connection: { path: socket } });
      // Each call throws its own error.
      opened.on('error', () => {});
      await opened.waitUntilReady();
      queue = opened;
      return {};
    },
    async round(input) {
      const { callers, durationMs } = roundInput.parse(input);
      return drive(callers, durationMs, async () => {
        await queue?.add('task', taskBody, { attempts: 3 });
      });
    },
  },
  async () => queue?.close(),
);
