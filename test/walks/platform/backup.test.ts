// A backup of the whole installation while it works, and another installation that goes on from it. platform-6.
import path from 'node:path';
import { expect } from 'vitest';
import { run } from '../../support/process/program.ts';
import { installedCommand, ServiceProcess } from '../support/service-process.ts';
import { walks } from '../support/walk.ts';

const token = 'token-of-the-restored-service';

walks('backup', { on: ['embedded'] }, (walk) => {
  walk(
    ['backup-and-restore'],
    'a finished task is read in the restored installation, which takes new ones',
    async (on) => {
      const { repository, codebaseId } = await on.workplace({ url: on.deployment.at(0).url });
      const done = await on.task(codebaseId, ['echo kept > made.txt', 'echo ended']);
      expect(await on.made(done, repository, 'made.txt')).toBe('kept\n');

      const cli = async (...args: string[]): Promise<string> => {
        const env = { SERVICE_AUTH_TOKEN: token, SWITCHYARD_TOKEN: token };
        const { code, out, err } = await run(args, { command: installedCommand, cwd: on.folder, env });
        expect([args, code, code === 0 ? '' : err]).toEqual([args, 0, '']);
        return out;
      };
      const file = path.join(on.folder, 'all.backup');
      await cli('backup', file, '--data-dir', on.deployment.at(0).dataDir);
      await cli('backup', 'verify', file);
      const folder = path.join(on.folder, 'restored');
      await cli('restore', file, '--data-dir', path.join(folder, '.switchyard'));

      await using restored = await ServiceProcess.start({ folder, env: { SERVICE_AUTH_TOKEN: token } });
      const { task } = JSON.parse(await cli('task', 'show', done, '--json', '--url', restored.url));
      expect(task).toMatchObject({ id: done, status: 'completed' });
      expect(await cli('logs', done, '--url', restored.url)).toBe('ended\n');
      const health = async (): Promise<unknown> => (await fetch(`${restored.url}/health`)).json();
      expect(await health()).toMatchObject({ sends: 'held_by_restore' });
      await cli('restore', 'release', '--url', restored.url);
      expect(await health()).not.toHaveProperty('sends', 'held_by_restore');
      await cli('task', 'create', '--codebase', codebaseId, 'Go on.', '--url', restored.url);
      await restored.stop();
      await cli('audit', 'verify', '--data-dir', path.join(folder, '.switchyard'));
    },
  );
});
