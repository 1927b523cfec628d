// The verb messages of runs: guidance for all later prompts and, as an intervention, for the agents at work. runs-6.1.
import { isPerson } from '../../access/require-person.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { PrdRun, RunLearning, RunStep } from '../../model/run/run.ts';
import type { Rows } from '../../ports/store/store.ts';
import { cleanLearning } from '../learning-text.ts';
import { addMessage } from '../../tasks/exchange/add-message.ts';
import { invalidField } from '../../tasks/routing/invalid-field.ts';
import { requireStory } from '../read/require-run.ts';
import { announceRun } from './insert-run.ts';
import { assertRunGoesOn, changeRun } from './change-run.ts';
import type { RunDeps } from './run-deps.ts';

export interface Guidance {
  readonly text: string;
  /** Undefined: it concerns all stories. */
  readonly storyId: string | undefined;
}

export interface GivenGuidance {
  readonly learningId: string;
  /** One for each agent at work, which receives the guidance at once. */
  readonly interventionIds: readonly string[];
}

/** Bytes of one learning. */
const maxBytes = 8192;

/**
 * Records guidance, and sends it to the agents that work for the run now.
 * @throws DomainError not_found (run, story); forbidden; conflict (`run_finished`); invalid for an empty or too long text
 */
export async function guideRun(
  deps: RunDeps,
  caller: Caller,
  runId: string,
  { text, storyId }: Guidance,
): Promise<GivenGuidance> {
  const plain = cleanLearning(text, Number.MAX_SAFE_INTEGER).trim();
  if (plain === '') throw invalidField('/text', 'must be text, and not empty');
  if (Buffer.byteLength(plain) > maxBytes) throw invalidField('/text', `may have at most ${maxBytes} bytes`);
  const { result } = await changeRun(deps, caller, runId, {
    change: async (rows, run) => {
      assertRunGoesOn(run);
      if (storyId !== undefined) requireStory(await rows.runStories.list(runId), storyId);
      const author = isPerson(caller) ? 'human' : 'agent';
      const learningId = await addGuidance(deps, rows, run, { author, text: plain, storyId });
      const interventions: { interventionId: string; workerId: string }[] = [];
      for (const step of await agentsAtWork(rows, runId, storyId)) {
        const intervention = await interveneIn(deps, rows, caller, step, plain);
        if (intervention !== undefined) interventions.push(intervention);
      }
      return { learningId, interventions };
    },
  });
  const { tenantId } = caller;
  for (const { workerId } of result.interventions) deps.wake.announce({ kind: 'intervention', tenantId, workerId });
  announceRun(deps, tenantId, runId);
  const interventionIds = result.interventions.map(({ interventionId }) => interventionId);
  return { learningId: result.learningId, interventionIds };
}

/** @returns the id of the learning; of an equal earlier one where there is one */
async function addGuidance(
  { makeId }: RunDeps,
  rows: Rows,
  run: PrdRun,
  {
    author,
    text,
    storyId = null,
  }: Pick<RunLearning, 'author' | 'text'> & { readonly storyId?: string | null | undefined },
): Promise<string> {
  const id = makeId();
  const learning = { id, storyId, n: null, kind: 'guidance', author, text } as const;
  if (await rows.runRecords.addLearning(run.id, learning)) {
    await rows.runRecords.appendEvents(run.id, [
      { type: 'learning', data: { story_id: storyId, id, kind: 'guidance' } },
    ]);
    return id;
  }
  const equal = (await rows.runRecords.allLearnings(run.id)).find(
    (earlier) => earlier.kind === 'guidance' && earlier.storyId === storyId && earlier.text === text,
  );
  return equal?.id ?? id;
}

/** Open steps in which an agent works, of one story or of all. */
async function agentsAtWork(rows: Rows, runId: string, storyId: string | undefined): Promise<RunStep[]> {
  const steps = await rows.runSteps.list(runId, storyId);
  return steps.filter(({ status, kind }) => status === 'open' && (kind === 'implement' || kind === 'resolve'));
}

/** Undefined: the task is not running, or its agent has too many undelivered interventions. */
async function interveneIn(
  { makeId }: RunDeps,
  rows: Rows,
  caller: Caller,
  { taskId }: RunStep,
  text: string,
): Promise<{ interventionId: string; workerId: string } | undefined> {
  const task = await rows.tasks.find(taskId);
  if (task?.status !== 'running') return undefined;
  const id = makeId();
  const added = await rows.interventions.add({
    id,
    taskId,
    action: 'message',
    message: text,
    messageId: id,
    createdBy: caller.subject,
  });
  if (added.verdict !== 'queued' || added.workerId === null) return undefined;
  await addMessage(rows, taskId, { messageId: id, parts: [{ text }], metadata: {}, by: caller.subject });
  return { interventionId: id, workerId: added.workerId };
}
