// SIGSTOP that has taken effect.
import { readdir, readFile } from 'node:fs/promises';
import { until } from '../until.ts';

/**
 * Stops a process and settles when each of its threads stands. The signal alone is only a wish: one thread has to be
 * given a processor to handle it, and until then the others go on and answer. SIGCONT lets it go on.
 */
export async function suspendProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  if (process.platform !== 'linux') return;
  await until(`process ${pid} stands still`, async () => {
    const threads = await readdir(`/proc/${pid}/task`);
    const stats = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, 'latin1')));
    return stats.every((stat) => /^\d+ \(.*\) T/s.test(stat));
  });
}
