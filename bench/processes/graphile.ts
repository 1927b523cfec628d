// Process: graphile-worker's addJob, called in-process.
import { makeWorkerUtils, type WorkerUtils } from 'graphile-worker';
import pg from 'pg';
import { z } from 'zod';
import { login } from '../database.ts';
import { drive } from '../measure/round.ts';
import { serveCommands } from '../serve-commands.ts';
import { taskBody } from '../bodies/task-body.ts';

const roundInput = z.object({ callers: z.number(), durationMs: z.number() });
const closing = new AsyncDisposableStack();
let utils: WorkerUtils | undefined;

serveCommands(
  {
    async open(input) {
      const pgPool = new pg.Pool({ ...login.parse(input), max: 10 });
      // The pool drops a connection that breaks; the next job opens another.
      pgPool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
      closing.defer(() => pgPool.end());
      const opened = await makeWorkerUtils({ pgPool });
      closing.defer(async () => opened.release());
      await opened.migrate();
      utils = opened;
      return {};
    },
    async round(input) {
      const { callers, durationMs } = roundInput.parse(input);
      return drive(callers, durationMs, async () => {
        await utils?.addJob('task', taskBody, { maxAttempts: 3 });
      });
    },
  },
  () => closing.disposeAsync(),
);
