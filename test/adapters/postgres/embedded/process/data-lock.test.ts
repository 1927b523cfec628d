// The exclusive lock on DATA_DIR, with real processes.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { lockDataDir } from '../../../../../src/adapters/postgres/embedded/process/data-lock.ts';
import { JsonProgram } from '../../../../support/embedded-postgres/json-program.ts';
import { refusal, readableFolder } from '../../../../support/embedded-postgres/server-fixture.ts';

const lockHolder = fileURLToPath(new URL('../processes/lock-holder.ts', import.meta.url));

function contender(dataDir: string): JsonProgram {
  return new JsonProgram({ command: [process.execPath, lockHolder, dataDir] });
}

describe('the lock on DATA_DIR', () => {
  test('goes to exactly one of many simultaneous starters, again after each kill -9, and the others name it', async () => {
    await using folder = await readableFolder();
    for (let round = 0; round < 4; round += 1) {
      await using stack = new AsyncDisposableStack();
      const contenders = Array.from({ length: 6 }, () => stack.use(contender(folder.path)));
      for (const program of contenders) program.send('go');
      const outcomes = await Promise.all(contenders.map(async (program) => program.message('locked', 'failed')));
      const winners = contenders.filter((_, index) => outcomes[index]?.event === 'locked');
      expect(winners).toHaveLength(1);
      for (const outcome of outcomes.filter(({ event }) => event === 'failed')) {
        expect(outcome.code).toBe('data_dir_locked');
        expect(outcome.message).toContain(`process ${winners[0]?.pid}`);
      }
      await winners[0]?.kill('SIGKILL');
    }
  });

  test('is refused a second time within one process, and is free after release', async () => {
    await using folder = await readableFolder();
    const first = await lockDataDir(folder.path);
    const refused = await refusal(lockDataDir(folder.path));
    expect(refused.message).toContain(`process ${process.pid}`);
    expect(refused.remedy).toContain('DATA_DIR');
    // The refused attempt must not have dropped the lock of the first: the system's locks belong to the process.
    await using other = contender(folder.path);
    other.send('go');
    expect((await other.message('locked', 'failed')).event).toBe('failed');
    await first.release();
    await first.release();
    const second = await lockDataDir(folder.path);
    await second.release();
  });
});
