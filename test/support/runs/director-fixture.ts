// The director of runs on a database of its own, with decisions that a test writes down.
import type { RunEffect } from '../../../src/domain/model/run/effect.ts';
import type { RunStory } from '../../../src/domain/model/run/run.ts';
import type { RunSnapshot } from '../../../src/domain/model/run/snapshot.ts';
import { stepCapability } from '../../../src/domain/model/run/step.ts';
import { newDraft } from '../../../src/domain/model/task/task-draft.ts';
import type { NewRun } from '../../../src/domain/ports/store/runs.ts';
import type { Rows } from '../../../src/domain/ports/store/store.ts';
import type { DirectorDeps } from '../../../src/domain/runs/director/director-deps.ts';
import { runTopic } from '../../../src/domain/runs/step-task.ts';
import { stepResult } from '../../../src/contracts/step.ts';
import { buildNewRun, buildStepDescriptor, buildStory } from '../builders/run-records.ts';
import type { TestDatabase } from '../database/database.ts';
import { createQueueDriver, type QueueDriver } from '../queue/queue-driver.ts';
import type { Verbs } from '../verbs.ts';

export interface DirectorFixture {
  readonly driver: QueueDriver;
  readonly codebaseId: string;
  readonly workerId: string;
  readonly deps: DirectorDeps;
  /** Every snapshot that was decided on. */
  readonly seen: RunSnapshot[];
  /** The answers of the next decisions, in order; nothing after that. */
  readonly decisions: ((snapshot: RunSnapshot) => readonly RunEffect[])[];
  createRun(given?: Partial<NewRun>, stories?: readonly RunStory[]): Promise<string>;
  rows<T>(work: (rows: Rows) => Promise<T>): Promise<T>;
}

export async function openDirectorFixture(
  verbs: Verbs,
  db: TestDatabase,
  given: Partial<DirectorDeps> = {},
): Promise<DirectorFixture> {
  const driver = createQueueDriver(verbs, db);
  const { codebaseId, workerId } = await driver.worker(undefined, { capabilities: [stepCapability] });
  const seen: RunSnapshot[] = [];
  const decisions: DirectorFixture['decisions'] = [];
  const rows: DirectorFixture['rows'] = (work) => verbs.store.within({ tenantId: 'default' }, work);
  const deps: DirectorDeps = {
    ...verbs,
    decide: (snapshot) => {
      seen.push(snapshot);
      return decisions.shift()?.(snapshot) ?? [];
    },
    buildStepTask: ({ snapshot: { run }, plan }) =>
      newDraft({
        title: `${plan.kind} ${plan.storyId ?? ''}`,
        prompt: `do ${plan.kind}`,
        codebaseId: run.codebaseId,
        targetWorkerId: plan.targetWorkerId,
        requiredCapabilities: [stepCapability],
        step: buildStepDescriptor({
          kind: plan.kind,
          run_id: run.id,
          story_id: plan.storyId,
          n: plan.n,
          base: plan.base,
          fetch: run.baseBundles,
        }),
        topic: runTopic,
      }),
    parseStepResult: (content) => {
      const parsed = stepResult.safeParse(content);
      return parsed.success ? parsed.data : undefined;
    },
    sends: { areHeld: () => Promise.resolve(false) },
    principals: { find: (_tenant, subject) => ({ name: subject, roles: ['editor'], markFor: () => '' }) },
    maxActiveRuns: 50,
    verifier: { agent: null, model: null },
    metrics: { stepEnded: () => {}, attemptEnded: () => {}, lagged: () => {} },
    log: (line) => void verbs.logged.push(line),
    ...given,
  };
  return {
    driver,
    codebaseId,
    workerId,
    deps,
    seen,
    decisions,
    rows,
    async createRun(fields = {}, stories = [buildStory()]) {
      const id = verbs.makeId();
      await rows((all) => all.runs.insert(buildNewRun({ id, codebaseId, ...fields }), stories));
      return id;
    },
  };
}
