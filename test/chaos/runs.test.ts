// A run of four stories on two replicas, two machines and a database of its own: two conflict, one lands by a merge, one is
// diagnosed. At the boundary of each kind of step one of the four is killed with -9; the run ends as it does undisturbed: the
// same files, one commit a story, no step twice.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
import { temporaryFolder } from '../support/process/program.ts';
import { openPrivatePostgres, type PrivatePostgres } from './support/private-postgres.ts';
import { startReplica } from './support/replica.ts';

const full = process.env['SCALE'] === 'full';
const disturbedRuns = full ? 15 : 1;
/** In the order in which a run first has them. */
const kinds = ['prepare', 'implement', 'check', 'judge', 'land', 'resolve', 'publish', 'diagnose'] as const;

/** Adds a line to a file that two stories change; a conflict about it is resolved by both lines. */
const addWord = (word: string): string[] => [
  "if grep -q '^<<<<<<<' words.txt; then sed -i '/^<<<<<<< /d;/^=======$/d;/^>>>>>>> /d' words.txt",
  `else echo ${word} >> words.txt; fi; sort -o words.txt words.txt`,
];

const friendly = 'The module says its name.';
const [first, second, third, last] = ['US-001', 'US-002', 'US-003', 'US-004'] as const;
const stories = [
  scriptedStory(first, ['sleep 0.2', ...moduleLines(first), ...addWord('second')], { dependsOn: [] }),
  scriptedStory(second, ['sleep 0.2', ...moduleLines(second), ...addWord('third')], {
    dependsOn: [],
    acceptanceCriteria: [`\`node --test test/us-002.test.mjs\` passes`, friendly],
  }),
  scriptedStory(third, ['sleep 0.2', ...moduleLines(third)], { dependsOn: [] }),
  // It changes nothing, twice, until it is advised.
  scriptedStory(last, ["grep -q 'Write the module' progress.txt || exit 0", ...moduleLines(last)], {
    dependsOn: [first, second, third],
  }),
];

/** The agent that judges and diagnoses; `command` implements. */
const reviewer = `case "$(head -c 9 "$1")" in
'You judge') sleep 0.3; cat <<'END'
{"criteria": [{"index": 1, "verdict": "pass", "reason": "It does.",
  "quotes": [{"path": "src/us-002.mjs", "line": 1, "text": "export const name = 'us-002';"}]}]}
END
;;
'You diagn') sleep 0.3; echo 'Write the module.' ;;
esac
`;

/** The progress of a step: its task waits, runs, has ended. */
const moments = ['pending', 'running', 'completed'] as const;
const victims = ['replica', 'worker', 'a process of the database', 'database'] as const;

interface Strike {
  readonly kind: (typeof kinds)[number];
  readonly moment: (typeof moments)[number];
  readonly victim: (typeof victims)[number];
}

/** A strike at the boundary of each kind of step. */
const strikes = fc
  .tuple(
    fc.array(fc.constantFrom(...moments), { minLength: kinds.length, maxLength: kinds.length }),
    fc.shuffledSubarray([...victims, ...victims], { minLength: kinds.length, maxLength: kinds.length }),
  )
  .map(([when, whom]): Strike[] =>
    kinds.map((kind, i) => ({ kind, moment: when[i] ?? 'running', victim: whom[i] ?? 'worker' })),
  );

interface Scene {
  readonly db: PrivatePostgres;
  readonly url: string;
  readonly site: RunMachines;
  readonly strike: (victim: Strike['victim'], turn: number) => Promise<void>;
}

/** Whether a step of this kind has come that far; false while the database is away. */
async function hasReached(db: PrivatePostgres, runId: string, { kind, moment }: Strike): Promise<boolean> {
  const text = `select t.status from ralph_steps s join tasks t on t.tenant_id = s.tenant_id and t.id = s.task_id
    where s.run_id = $1 and s.kind = $2`;
  const rows = await db.query<{ status: string }>(text, [runId, kind]).catch(() => []);
  const at = (status: string): number => moments.findIndex((one) => one === status);
  return rows.some(({ status }) => status === 'failed' || at(status) >= moments.indexOf(moment));
}

async function createRun({ url, site }: Scene, branchName: string): Promise<string> {
  const prd = { project: 'shop', description: 'A shop.', branchName, userStories: stories };
  return until('a run is created', async () => {
    const reply = await fetch(`${url}/v1/ralph/runs`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer token-of-the-editor',
        'content-type': 'application/json',
        'idempotency-key': branchName,
      },
      body: JSON.stringify({ codebase_id: site.codebaseId, prd, agent: 'command', mode: 'parallel', max_parallel: 3 }),
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
    const commits = (await git('log', `--format=${trailer}`, `${base}..${tip}`)).split('\n').toSorted();
    const files = (await git('ls-tree', '-r', '--name-only', tip)).split('\n');
    return { commits, files, words: await git('show', `${tip}:words.txt`) };
  }
  throw new Error(`no machine has ${branch} at ${head}`);
}

const names = [first, second, third, last].map((id) => id.toLowerCase());
/** The stories may land in any order. */
const undisturbed = {
  commits: [first, second, third, last],
  files: [
    'package.json',
    'src/sum.mjs',
    ...names.map((name) => `src/${name}.mjs`),
    'test/sum.test.mjs',
    ...names.map((name) => `test/${name}.test.mjs`),
    'words.txt',
  ],
  words: 'first\nsecond\nthird',
};

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
    const folder = opening.use(await temporaryFolder('switchyard-runs-'));
    const program = join(folder.path, 'reviewer.sh');
    await writeFile(program, reviewer);
    const site = opening.use(
      await openRunMachines(service, {
        files: { ...testedProject, 'words.txt': 'first\n' },
        count: 2,
        env: { A2A_AGENT_BIN: `sh ${program} {prompt_file}` },
      }),
    );
    const strike = async (victim: Strike['victim'], turn: number): Promise<void> => {
      if (victim === 'replica') return replicas[turn % replicas.length]?.kill();
      if (victim === 'database') return db.killAll();
      if (victim !== 'worker') return db.killOne();
      const machine = site.machines[turn % site.machines.length];
      await machine?.kill();
      await machine?.start();
    };
    const scene = { db, url, site, strike };
    if (full) {
      const calm = await createRun(scene, 'calm');
      expect(await branchOf(scene, 'ralph/calm', await ended(db, calm))).toEqual(undisturbed);
    }

    let round = 0;
    await fc.assert(
      fc.asyncProperty(strikes, async (planned) => {
        round += 1;
        const branch = `storm-${round}`;
        const runId = await createRun(scene, branch);
        for (const [turn, strikeHere] of planned.entries()) {
          const { kind, moment, victim } = strikeHere;
          await until(`${kind} is ${moment}`, () => hasReached(db, runId, strikeHere), 240_000);
          await strike(victim, turn);
        }
        const row = await ended(db, runId);
        expect(row).toMatchObject({ status: 'completed', published: row.head });
        expect(await branchOf(scene, `ralph/${branch}`, row)).toEqual(undisturbed);
        expect(await checkRunInvariants(db)).toEqual([]);
        const [judged] = await db.query<{ n: number }>(
          `select (spent->>'iterations')::int as n from ralph_runs where id = $1`,
          [runId],
        );
        // Four that passed, and two that changed nothing: no kill spends one.
        expect(judged).toEqual({ n: 6 });
        const twice = await db.query(
          `select kind, story_id, n, try from ralph_steps where run_id = $1 and status = 'ok' and kind in
             ('prepare', 'implement', 'resolve', 'check', 'judge', 'diagnose')
           group by kind, story_id, n, try having count(*) > 1`,
          [runId],
        );
        expect(twice).toEqual([]);
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
