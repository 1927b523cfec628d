// What goes with one group commit: the calls that arrive while turns of the event loop still bring some, and no longer.
import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { GroupCommitter } from '../../../../src/adapters/postgres/queue/group-committer.ts';
import type { SubmitRow } from '../../../../src/adapters/postgres/queue/commit-rows.ts';

/** A database that takes everything at once, and tells how many submits each commit brought. */
function countingCommitter(): { committer: GroupCommitter; commits: number[] } {
  const commits: number[] = [];
  const query = ({ values }: { values: readonly [string] }): Promise<{ rows: { answers: string }[] }> => {
    const groups: { submit: unknown[] }[] = JSON.parse(values[0]);
    commits.push(groups.reduce((sum, group) => sum + group.submit.length, 0));
    const answers = groups.map(() => ({ submit: { at: '2026-01-02 03:04:05+00', others: {} } }));
    return Promise.resolve({ rows: [{ answers: JSON.stringify(answers) }] });
  };
  const committer = new GroupCommitter({
    // Of a pool the lanes use this alone.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    pool: { query } as unknown as pg.Pool,
    connections: 2,
    elapsedMs: () => 0,
    leaseSeconds: 60,
    idempotencyHours: 48,
    claimsFor: () => [],
    deliveryWorkFor: () => undefined,
  });
  return { committer, commits };
}

function submit(committer: GroupCommitter, id: string): Promise<unknown> {
  const row: SubmitRow = { id, run_id: id, prompt: 'p', route_id: 'r', max_attempts: 3, created_by: 'somebody' };
  return committer.run('t', 'submit', row, { taskId: id, weight: 1, intent: undefined });
}

describe('a group commit', () => {
  it('takes the calls of later turns along while each brings one', async () => {
    const { committer, commits } = countingCommitter();
    const calls = [submit(committer, 'first')];
    for (let i = 0; i < 4; i += 1) {
      calls.push(submit(committer, `${i}`));
      await turn();
    }
    await Promise.all(calls);
    expect(commits).toEqual([5]);
  });

  it('is not put off by a crowd that never ends', async () => {
    const { committer, commits } = countingCommitter();
    const calls = [submit(committer, 'first')];
    for (let i = 0; i < 59; i += 1) {
      calls.push(submit(committer, `${i}`));
      await turn();
    }
    await Promise.all(calls);
    expect(commits.reduce((sum, n) => sum + n)).toBe(60);
    expect(Math.max(...commits)).toBeLessThanOrEqual(10);
  });

  it('begins after one turn for a lone call', async () => {
    const { committer, commits } = countingCommitter();
    const call = submit(committer, '1');
    await turn();
    expect(commits).toEqual([1]);
    await call;
  });
});
