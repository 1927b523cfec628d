// A service that dies: what it acknowledged is kept, and who was at work or listening goes on. core-1.2, core-2.7.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { untilThere } from '../support/prompts.ts';
import { walks } from '../support/walk.ts';

walks('restarts', { on: ['embedded', 'replicas'], oneByOne: true }, (walk) => {
  for (const how of ['stop', 'kill'] as const) {
    walk(
      ['acknowledged-is-kept', 'task-to-a-worker'],
      `tasks outlive a service that ends by ${how}, running and waiting ones`,
      async (on) => {
        const service = on.deployment.at(0);
        const { worker, repository, codebaseId } = await on.workplace({ url: service.url });
        const gate = path.join(on.folder, 'gate');
        const running = await on.task(codebaseId, [
          'echo begun',
          untilThere(gate),
          'echo kept > made.txt',
          'echo ended',
        ]);
        await on.printed(running, 'begun');
        const waiting = await on.task(codebaseId, ['echo after > made.txt']);
        if (how === 'stop') await service.stop();
        else await service.kill();
        await writeFile(gate, '');
        await service.start();
        expect(await on.made(running, repository, 'made.txt')).toBe('kept\n');
        expect(await on.get(running)).toMatchObject({ attempt: 1, worker_id: worker.id });
        expect(await on.output(running)).toBe('begun\nended\n');
        expect(await on.made(waiting, repository, 'made.txt')).toBe('after\n');
        const { events } = await on.must(200, 'GET', `/v1/agent/tasks/${running}/events?limit=1000`);
        expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(events.map((_: unknown, n: number) => n + 1));
      },
    );
  }
});
