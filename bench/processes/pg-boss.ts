// Process: pg-boss' send, called in-process, its maintenance off.
import { PgBoss } from 'pg-boss';
import { z } from 'zod';
import { login } from '../database.ts';
import { drive } from '../measure/round.ts';
import { serveCommands } from '../serve-commands.ts';
import { taskBody } from '../bodies/task-body.ts';

const roundInput = z.object({ callers: z.number(), durationMs: z.number() });
let boss: PgBoss | undefined;

serveCommands(
  {
    async open(input) {
      const opened = new PgBoss({ ...login.parse(input), max: 10, supervise: false, schedule: false });
      await opened.start();
      await opened.createQueue('task', { retryLimit: 3 });
      boss = opened;
      return {};
    },
    async round(input) {
      const { callers, durationMs } = roundInput.parse(input);
      return drive(callers, durationMs, async () => {
        if ((await boss?.send('task', taskBody)) === null) throw new Error('pg-boss took no job');
      });
    },
  },
  async () => boss?.stop({ graceful: false }),
);
