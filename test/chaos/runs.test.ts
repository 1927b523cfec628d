// A run of three stories on two replicas, two machines and a database of its own. At the boundaries of its steps one of
// them is killed with -9; the run ends as it does undisturbed: the same files, one commit a story, no step twice.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkRunInvariants } from '../support/database/run-invariants.ts';
import { FrontProxy } from '../support/peers/front-proxy.ts';
import {
  moduleLines,
  openRunMachines,
  scriptedStory,
  testedProject,
  type RunMachines,
} from '../support/runs/run-machines.ts';
import { until } from '../support/until.ts';
import { openPrivatePostgres, type PrivatePostgres } from './support/private-postgres.ts';
import { startReplica } from './support/replica.ts';

const full = process.env['SCALE'] === 'full';
const disturbedRuns = full ? 15 : 1;
const stories = ['US-001', 'US-002', 'US-003'];
const steps = ['prepare', ...stories.flatMap((id) => [`implement ${id}`, `check ${id}`]), 'publish'];

/** How far a step has come: its task waits, runs, has ended. */
const moments = ['pending', 'running', 'completed'] as const;
const victims = ['replica', 'worker', 'a process of the database', 'database'] as const;

interface Strike {
  readonly step: string;
  readonly moment: (typeof moments)[number];
  readonly victim: (typeof victims)[number];
}

/** A strike at each boundary; four of them at CI size. */
const strikes = fc
  .tuple(
    fc.subarray(steps, full ? {} : { minLength: 4, maxLength: 4 }),
    fc.array(fc.constantFrom(...moments), { minLength: steps.length, maxLength: steps.length }),
    fc.shuffledSubarray([...victims, ...victims], { minLength: steps.length, maxLength: steps.length }),
  )
  .map(([at, when, whom]): Strike[] =>
    at.map((step, i) => ({ step, moment: when[i] ?? 'running', victim: whom[i % whom.length] ?? 'worker' })),
  );

interface Scene {
  readonly db: PrivatePostgres;
  readonly url: string;
  readonly site: RunMachines;
  readonly strike: (victim: Strike['victim'], turn: number) => Promise<void>;
}

/** The statuses of the run's tasks, by step; empty while the database is away. */
async function progressOf(db: PrivatePostgres, runId: string): Promise<Map<string, string>> {
  const text = `select concat_ws(' ', s.kind, s.story_id) as step, t.status from ralph_steps s
    join tasks t on t.tenant_id = s.tenant_id and t.id = s.task_id where s.run_id = $1 order by s.id`;
  const rows = await db.query<{ step: string; status: string }>(text, [runId]).catch(() => []);
  return new Map(rows.map(({ step, status }) => [step, status]));
}

function hasReached(status: string | undefined, moment: Strike['moment']): boolean {
  const at = moments.findIndex((one) => one === status);
  return status === 'failed' || at >= moments.indexOf(moment);
}

async function createRun({ url, site }: Scene, branchName: string): Promise<string> {
  const userStories = stories.map((id) => scriptedStory(id, ['sleep 0.2', ...moduleLines(id)]));
  const prd = { project: 'shop', description: 'A shop.', branchName, userStories };
  return until('a run is created', async () => {
    const reply = await fetch(`${url}/v1/ralph/runs`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer token-of-the-editor',
        'content-type': 'application/json',
        'idempotency-key': branchName,
      },
      body: JSON.stringify({ codebase_id: site.codebaseId, prd, agent: 'command' }),
    });
    const { run_id: runId }: { run_id?: string } = JSON.parse(await reply.text());
    if (runId === undefined) throw new Error(`no run: ${reply.status}`);
    return runId;
  });
}

interface RunRow {
  readonly status: string;
  readonly head: string;
  readonly base: string;
  readonly published: string | null;
}

/** Resolves when the run is over and its branch has all its commits. */
function ended(db: PrivatePostgres, runId: string): Promise<RunRow> {
  const text = `select status, base_commit as base, head_commit as head, published_commit as published
    from ralph_runs where id = $1 and status in ('completed', 'failed', 'cancelled', 'needs_input')
      and not exists (select from ralph_steps where run_id = $1 and status in ('open', 'asking'))`;
  return until('the run ends', async () => (await db.query<RunRow>(text, [runId]).catch(() => []))[0], 240_000);
}

/** The files of the branch, and the stories of its commits, at the machine that holds it. */
async function branchOf({ site }: Scene, branch: string, { base, head }: RunRow): Promise<unknown> {
  for (const { git } of site.machines) {
    const tip = await git('rev-parse', '--verify', '--quiet', `refs/heads/${branch}`).catch(() => undefined);
    if (tip !== head) continue;
    const trailer = '%(trailers:key=Switchyard-Story,valueonly,separator=)';
    const commits = (await git('log', '--reverse', `--format=${trailer}`, `${base}..${tip}`)).split('\n');
    return { commits, files: await git('ls-tree', '-r', tip) };
  }
  throw new Error(`no machine has ${branch} at ${head}`);
}

it(
  'a run ends as if nothing had happened, whoever is killed at the boundaries of its steps [runs-7.5]',
  async () => {
    await using opening = new AsyncDisposableStack();
    const db = opening.use(await openPrivatePostgres());
    const config = { leaseSeconds: 5 };
    const replicas = [await startReplica(db.service, config), await startReplica(db.service, config)];
    for (const replica of replicas) opening.use(replica);
    const { url } = opening.use(await FrontProxy.start(replicas.map(({ port }) => port)));
    const service = { url, token: (who: string) => `token-of-the-${who}` };
    const site = opening.use(await openRunMachines(service, { files: testedProject, count: 2 }));
    const strike = async (victim: Strike['victim'], turn: number): Promise<void> => {
      if (victim === 'replica') return replicas[turn % replicas.length]?.kill();
      if (victim === 'database') return db.killAll();
      if (victim !== 'worker') return db.killOne();
      const machine = site.machines[turn % site.machines.length];
      await machine?.kill();
      await machine?.start();
    };
    const scene = { db, url, site, strike };
    const calm = await createRun(scene, 'calm');
    const undisturbed = await branchOf(scene, 'ralph/calm', await ended(db, calm));
    expect(undisturbed).toMatchObject({ commits: stories });

    let round = 0;
    await fc.assert(
      fc.asyncProperty(strikes, async (planned) => {
        round += 1;
        const branch = `storm-${round}`;
        const runId = await createRun(scene, branch);
        for (const [turn, { step, moment, victim }] of planned.entries()) {
          await until(
            `${step} is ${moment}`,
            async () => hasReached((await progressOf(db, runId)).get(step), moment),
            120_000,
          );
          await strike(victim, turn);
        }
        const row = await ended(db, runId);
        expect(row).toMatchObject({ status: 'completed', published: row.head });
        expect(await branchOf(scene, `ralph/${branch}`, row)).toEqual(undisturbed);
        expect(await checkRunInvariants(db)).toEqual([]);
        const done = await db.query(
          `select kind, story_id, count(*)::int as n from ralph_steps where run_id = $1 and status = 'ok' and kind <> 'publish'
           group by kind, story_id having count(*) <> 1`,
          [runId],
        );
        expect(done).toEqual([]);
      }),
      { numRuns: disturbedRuns, endOnFailure: true },
    );
    for (const { leftAttempts } of site.machines) {
      // A worker clears the attempts of the one that was killed after its start.
      await until('no attempt of a killed worker is left', async () => (await leftAttempts()).length === 0);
    }
    for (const machine of site.machines) await machine.stop();
    for (const { git } of site.machines) expect((await git('worktree', 'list')).split('\n')).toHaveLength(1);
  },
  full ? 3_600_000 : 480_000,
);
