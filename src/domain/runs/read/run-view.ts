// A run as readers see it: with its stories, the evidence of their criteria, and its open questions. runs-6.1.
import type { CriterionEvidence, PrdRun, RunQuestion, RunStep, RunStory } from '../../model/run/run.ts';
import type { Rows } from '../../ports/store/store.ts';
import { isOverStory } from './story-phase.ts';

/** One criterion of a story, with the evidence that counts now; undefined: there is none yet. */
export interface CriterionView {
  readonly index: number;
  readonly text: string;
  readonly evidence: CriterionEvidence | undefined;
}

/** The end of the last line that the agent of a running story printed. */
export interface LastOutput {
  /** ISO 8601 UTC. */
  readonly at: string;
  /** At most 200 characters. */
  readonly text: string;
}

export interface StoryView {
  readonly story: RunStory;
  readonly criteria: readonly CriterionView[];
  /** Place in the landing queue, from 1; null: it does not wait to land. */
  readonly queuePosition: number | null;
  readonly lastOutput: LastOutput | null;
}

export interface RunView {
  readonly run: PrdRun;
  /** In the order of the document. */
  readonly stories: readonly StoryView[];
  /** The open ones, oldest first. */
  readonly questions: readonly RunQuestion[];
}

const lastOutputCharacters = 200;

/** Reads what a run's answer shows, within the transaction that found the run. */
export async function readRunView(rows: Rows, run: PrdRun): Promise<RunView> {
  const stories = await rows.runStories.list(run.id);
  const questions = await rows.runRecords.questions(run.id);
  const evidence = stories.some(({ iteration, status }) => iteration > 0 || status !== 'pending')
    ? await rows.runRecords.evidence(run.id)
    : [];
  const steps = stories.some(({ status }) => status === 'running') ? await rows.runSteps.list(run.id) : [];
  return {
    run,
    stories: await viewStories(rows, stories, evidence, steps),
    questions: questions.filter(({ answeredAt }) => answeredAt === null),
  };
}

/** @param steps of the run; only those of running stories matter */
export async function viewStories(
  rows: Rows,
  stories: readonly RunStory[],
  evidence: readonly CriterionEvidence[],
  steps: readonly RunStep[],
): Promise<StoryView[]> {
  const landingQueue = landingQueueOf(stories, steps);
  const views: StoryView[] = [];
  for (const story of stories) {
    const place = landingQueue.indexOf(story.storyId);
    views.push({
      story,
      criteria: viewCriteria(story, evidence),
      queuePosition: place < 0 ? null : place + 1,
      lastOutput: story.status === 'running' ? await readLastOutput(rows, story, steps) : null,
    });
  }
  return views;
}

/**
 * For each criterion the newest evidence of the story's newest attempt that has any: a retry begins without evidence. For a
 * landed story that of its commit counts, whatever was tried after it.
 */
function viewCriteria(story: RunStory, all: readonly CriterionEvidence[]): CriterionView[] {
  const ofStory = all.filter(({ storyId }) => storyId === story.storyId);
  const newest = isOverStory(story) ? Math.max(0, ...ofStory.map(({ n }) => n)) : story.iteration + 1;
  return story.criteria.map((text, index) => ({
    index,
    text,
    evidence: findNewest(
      ofStory.filter(({ criterion, n }) => criterion === index && n === newest),
      story.commit,
    ),
  }));
}

function findNewest(rows: readonly CriterionEvidence[], commit: string | null): CriterionEvidence | undefined {
  return rows.findLast((row) => commit !== null && row.commit === commit) ?? rows.at(-1);
}

/** Ids of the stories that wait to land, in the order in which they passed their check or their judge. runs-12. */
function landingQueueOf(stories: readonly RunStory[], steps: readonly RunStep[]): string[] {
  const passedAt = (storyId: string): string =>
    steps.findLast(
      (step) => step.storyId === storyId && step.status === 'ok' && (step.kind === 'check' || step.kind === 'judge'),
    )?.endedAt ?? '';
  return stories
    .filter(({ phase }) => phase === 'landing')
    .map(({ storyId }) => storyId)
    .toSorted((a, b) => (passedAt(a) < passedAt(b) ? -1 : 1));
}

async function readLastOutput(rows: Rows, story: RunStory, steps: readonly RunStep[]): Promise<LastOutput | null> {
  const step = steps.findLast(({ storyId, status }) => storyId === story.storyId && status === 'open');
  if (step === undefined) return null;
  const wholeLog = { after: 0, before: Number.MAX_SAFE_INTEGER };
  const [last] = await rows.taskResults.outputBefore(step.taskId, wholeLog, 1);
  if (last === undefined) return null;
  const line = last.text.trimEnd().split('\n').at(-1)?.trim() ?? '';
  const [event] = await rows.tasks.events(step.taskId, last.seq - 1, 1);
  if (line === '' || event === undefined) return null;
  return { at: event.at, text: line.slice(-lastOutputCharacters).toWellFormed() };
}
