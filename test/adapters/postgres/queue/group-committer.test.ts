// The content of one group commit: the calls of a few turns of the event loop, and the work of its participants.
import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { GroupCommitter } from '../../../../src/adapters/postgres/queue/group-committer.ts';
import type { SubmitRow } from '../../../../src/adapters/postgres/codec/submission-row.ts';
import type { CommitParticipant } from '../../../../src/domain/ports/store/commit-participant.ts';

interface SentGroup {
  readonly submit: readonly unknown[];
  readonly claim?: readonly { readonly worker_id: string }[];
}

/** A committer on a database that accepts everything at once; `commits` has the submits of each commit. */
function countingCommitter(onSent: (group: SentGroup) => void = () => {}) {
  const commits: number[] = [];
  const query = ({ values }: { values: readonly [string] }): Promise<{ rows: { answers: string }[] }> => {
    const groups: SentGroup[] = JSON.parse(values[0]);
    groups.forEach(onSent);
    commits.push(groups.reduce((sum, group) => sum + group.submit.length, 0));
    const answers = groups.map(({ claim }) => ({
      submit: { at: '2026-01-02 03:04:05+00', others: {} },
      claim: claim?.map(() => []),
    }));
    return Promise.resolve({ rows: [{ answers: JSON.stringify(answers) }] });
  };
  const committer = new GroupCommitter({
    // The committer uses no other member of a pool.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    pool: { query } as unknown as pg.Pool,
    connections: 2,
    elapsedMs: () => 0,
    leaseSeconds: 60,
    idempotencyHours: 48,
  });
  return { committer, commits };
}

function startedCommitter() {
  const counting = countingCommitter();
  counting.committer.start([]);
  return counting;
}

function submit(committer: GroupCommitter, id: string): Promise<unknown> {
  const row: SubmitRow = { id, run_id: id, prompt: 'p', route_id: 'r', max_attempts: 3, created_by: 'somebody' };
  return committer.run('t', 'submit', row, { taskId: id, weight: 1, intent: undefined });
}

describe('a group commit', () => {
  it('includes the calls of later turns while each turn adds one', async () => {
    const { committer, commits } = startedCommitter();
    const calls = [submit(committer, 'first')];
    for (let i = 0; i < 4; i += 1) {
      calls.push(submit(committer, `${i}`));
      await turn();
    }
    await Promise.all(calls);
    expect(commits).toEqual([5]);
  });

  it('is not delayed by a stream of calls that never ends', async () => {
    const { committer, commits } = startedCommitter();
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
    const { committer, commits } = startedCommitter();
    const call = submit(committer, '1');
    await turn();
    expect(commits).toEqual([1]);
    await call;
  });
});

describe('participants of a commit', () => {
  it('are required: calls before start are rejected, and a second start throws', async () => {
    const { committer, commits } = countingCommitter();
    await expect(submit(committer, '1')).rejects.toThrow('the queue has no participants yet: start it first');
    expect(commits).toEqual([]);
    committer.start([]);
    expect(() => committer.start([])).toThrow('the queue has its participants already');
    await submit(committer, '2');
    expect(commits).toEqual([1]);
  });

  it('add their claims in the order of the list, and get the results of their own', async () => {
    const sent: SentGroup[] = [];
    const { committer } = countingCommitter((group) => void sent.push(group));
    const results = vi.fn<(workerId: string, claims: number) => void>();
    const claiming = (...workerIds: string[]): CommitParticipant => ({
      prepare: () => ({
        claims: workerIds.map((workerId) => ({ workerId, limit: 1 })),
        committed: ({ claims }) => results(workerIds.join(), claims.length),
        failed: () => results(workerIds.join(), -1),
      }),
    });
    committer.start([claiming('one', 'two'), { prepare: () => undefined }, claiming('three')]);
    await submit(committer, '1');
    expect(sent[0]?.claim?.map(({ worker_id }) => worker_id)).toEqual(['one', 'two', 'three']);
    expect(results.mock.calls).toEqual([
      ['one,two', 2],
      ['three', 1],
    ]);
  });

  it('fail with the commit, which is repeated without them', async () => {
    const sent: SentGroup[] = [];
    const { committer } = countingCommitter((group) => {
      sent.push(group);
      if (group.claim !== undefined) throw new Error('a claim cannot be run');
    });
    const failed = vi.fn<() => void>();
    const committed = vi.fn<() => void>();
    committer.start([{ prepare: () => ({ claims: [{ workerId: 'w', limit: 1 }], committed, failed }) }]);
    await submit(committer, '1');
    expect(sent.map(({ claim }) => claim?.length)).toEqual([1, undefined]);
    expect(failed).toHaveBeenCalledOnce();
    expect(committed).not.toHaveBeenCalled();
  });
});
