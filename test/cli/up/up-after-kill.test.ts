// `switchyard up` that is killed -9 amid a task and started again at once, while its former worker still drains.
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { Program, run, temporaryFolder } from '../../support/process/program.ts';

const exec = promisify(execFile);

it('has a worker again once the one that the former start left behind has ended', async () => {
  await using folder = await temporaryFolder();
  const cwd = path.join(folder.path, 'code');
  await mkdir(cwd);
  await exec('git', ['init', '-q'], { cwd });
  const create = async (script: string): Promise<string> => {
    const { out, err } = await run(['task', 'create', '--codebase', 'code', `\`\`\`sh\n${script}\n\`\`\``], { cwd });
    expect(err).not.toContain('error');
    return out.trim();
  };
  const start = (): Program => {
    const args = ['up', '--json', '--port', '0', '--mcp-port', '0'];
    // The former worker is still there when the next one starts, however slow that is; stopped, it does not wait for its agent.
    return new Program({ args, cwd, env: { A2A_WORKER_DRAIN_SECONDS: '600', A2A_WORKER_KILL_GRACE_SECONDS: '0.5' } });
  };
  await using first = start();
  await first.printed(/"event":"worker_ready"/);
  await using watching = new Program({
    args: ['logs', '-f', await create('echo begun\nsleep 600')],
    cwd,
  });
  await watching.printed(/begun/);
  first.signal('SIGKILL');
  await using again = start();
  const [, former = ''] = await again.printed(/a worker of this name is already running here \(process (\d+)\)/);
  // It drains; a second signal stops it at once.
  process.kill(Number(former), 'SIGTERM');
  await again.printed(/"event":"worker_ready"/);
  const followed = await run(['task', 'watch', await create('echo again')], { cwd });
  expect(`${followed.code} ${followed.out}`).toBe('0 again\n');
}, 480_000);
