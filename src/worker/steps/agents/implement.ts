// The steps `implement` and `resolve`: an agent works in a clean tree of the head, and its files become one candidate.
import type { AgentAdapter } from '../../agents/adapter/adapter.ts';
import type { NewArtifact } from '../../../contracts/worker.ts';
import type { TaskOutcome } from '../../report/task-outcome.ts';
import { mergeCandidate } from '../commits/merge-candidate.ts';
import { openStepTree, type StepTree } from '../open-step-tree.ts';
import { findProgressPath } from '../commits/with-progress.ts';
import { stepChanges } from '../commits/step-changes.ts';
import { fetchStepCommits, keepStepCommit } from '../commits/step-commits.ts';
import type { StepContext } from '../step-context.ts';
import { StepError } from '../step-error.ts';
import { stoppedEnding, type StepEnding } from '../commits/step-ending.ts';
import { writeCommit } from '../story-commit.ts';
import { withConventions } from './conventions.ts';
import { readAnswer } from './agent-answer.ts';
import { writeProgress, type ProgressFile } from './progress-file.ts';
import { chooseStepAgent, runStepAgent, type AgentTurn, type StepAgents } from './run-step-agent.ts';

/** Installs the dependencies of a tree. @returns the paths that were installed @throws StepError `setup_failed` */
export type SetUp = (context: StepContext, tree: StepTree) => Promise<readonly string[]>;

/** The tree in which the agent works, and to what its files are compared. */
interface WorkPlace {
  readonly agent: AgentAdapter;
  readonly tree: StepTree;
  /** The commit on which the candidate stands, and its tree. */
  readonly base: string;
  readonly baseTree: string;
  /** Paths that set-up made, which are no work of the agent. */
  readonly installed: readonly string[];
  /** Files that the agent has to resolve. */
  readonly conflicts: readonly string[];
  readonly progress: ProgressFile;
}

/**
 * Lets an agent implement a story (or resolve the conflicts of its candidate with the head) in a fresh session.
 * Artifacts: `bundle`, `diff`, `files`. A failed agent is a failed release; one that asks keeps its files on this
 * worker, where the task goes on from them.
 * @throws StepError `agent_missing`, `setup_failed`; BundleError; WorkspaceError; AgentError
 */
export async function runImplement(context: StepContext, agents: StepAgents, setUp: SetUp): Promise<StepEnding> {
  const { git, repository, signal, step, task } = context;
  const agent = await chooseStepAgent(task, agents);
  const base = step.kind === 'resolve' ? (step.head ?? step.base) : step.base;
  const needed = [base, step.run_base, step.candidate ?? ''].filter((commit) => commit !== '');
  await fetchStepCommits(context, needed);
  await using tree = await openStepTree(context, { commit: base, copy: step.copy });
  const baseTree = await git.line(['rev-parse', `${base}^{tree}`], { cwd: repository.root });
  const installed = await setUp(context, tree);
  if (signal.aborted) return stoppedEnding(signal);
  const conflicts = await fillTree(context, tree, base);
  const progress = await writeProgress(tree.path, step.progress, await findProgressPath(context));
  const place = { agent, tree, base, baseTree, installed, conflicts, progress };
  const prompt = await withConventions(task.prompt, agent.name, tree.path);
  return await finish(context, place, await runStepAgent(context, { agent, tree, agents, prompt }));
}

/** Brings in the files of an attempt that asked, or the candidate to be merged. @returns the files with conflicts */
async function fillTree(context: StepContext, tree: StepTree, base: string): Promise<readonly string[]> {
  const { git, step, task } = context;
  const asked = task.messages.some(({ role }) => role === 'agent') ? await findAsked(context, base) : undefined;
  if (asked !== undefined) {
    await git.run(['read-tree', '--reset', '-u', asked], { cwd: tree.path, env: tree.env });
    return [];
  }
  if (step.kind !== 'resolve') return [];
  if (step.candidate === null) throw new StepError('bad_step', 'The step resolves a candidate that is not named.');
  return (await mergeCandidate(context, tree, step.candidate)).conflicts;
}

function askedRef({ step }: Pick<StepContext, 'step'>): string {
  return `${step.keep_ref}-asked`;
}

async function findAsked(context: StepContext, base: string): Promise<string | undefined> {
  const { git, repository } = context;
  const find = ['rev-parse', '--verify', '--quiet', `${askedRef(context)}^1`];
  const { code, stdout } = await git.run(find, { cwd: repository.root, expect: [0, 1, 128] });
  return code === 0 && stdout.toString().trim() === base ? askedRef(context) : undefined;
}

async function finish(context: StepContext, place: WorkPlace, turn: AgentTurn): Promise<StepEnding> {
  const { signal } = context;
  const stopped = signal.aborted ? stoppedEnding(signal) : undefined;
  if (stopped !== undefined && signal.reason !== 'cancelled') return stopped;
  const tree = await place.tree.writeTree([place.progress.path, ...place.installed]);
  const changed = tree !== place.baseTree;
  const { changed: files, artifacts } = await stepChanges(context, place.baseTree, tree);
  const left = { artifacts, usage: turn.usage };
  if (stopped !== undefined) return { release: { status: 'cancelled', ...left } };
  const verdict = turn.judge(changed);
  if (verdict.status === 'needs_input') await keepAsked(context, place, tree);
  if (verdict.status !== 'completed') return { release: { ...verdict, ...left } };
  const markers = await leftMarkers(context, place, tree);
  if (markers.length > 0) return { release: { ...markersLeft(markers), ...left } };
  const candidate = changed ? await makeCandidate(context, place, tree) : null;
  const answer = readAnswer(verdict.result ?? '', context.secrets);
  const notes = await place.progress.readNotes(context.secrets);
  const kind = context.step.kind === 'resolve' ? 'resolve' : 'implement';
  return {
    result: { kind, agent: place.agent.name, candidate, changed: files, ...notes, ...answer, asks: null },
    ...left,
  };
}

async function keepAsked(context: StepContext, { base }: WorkPlace, tree: string): Promise<void> {
  const commit = await commitFiles(context, base, tree);
  await context.git.run(['update-ref', '--no-deref', askedRef(context), commit], { cwd: context.repository.root });
}

/** The candidate: the agent's files as one commit on the base, kept and sent. */
async function makeCandidate(
  context: StepContext,
  { base }: WorkPlace,
  tree: string,
): Promise<{ commit: string; tree: string }> {
  const commit = await commitFiles(context, base, tree);
  await keepStepCommit(context, { commit, base });
  return { commit, tree };
}

function commitFiles(context: StepContext, parent: string, tree: string): Promise<string> {
  const { step } = context;
  const message = `Candidate of ${step.story_id ?? 'the run'}, iteration ${step.n}\n`;
  return writeCommit(context, { tree, parent, message, createdAt: step.created_at });
}

/** The files in which an agent that resolves left markers of a conflict. */
async function leftMarkers(
  { git, repository }: StepContext,
  { conflicts }: WorkPlace,
  tree: string,
): Promise<readonly string[]> {
  if (conflicts.length === 0) return [];
  const paths = conflicts.map((path) => `:(top,literal)${path}`);
  const search = ['grep', '--name-only', '-z', '-e', '^<<<<<<< ', '-e', '^>>>>>>> ', tree, '--', ...paths];
  const { stdout } = await git.run(search, { cwd: repository.root, expect: [0, 1] });
  return stdout
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((line) => line.slice(tree.length + 1));
}

function markersLeft(paths: readonly string[]): Pick<TaskOutcome, 'status' | 'error'> & { artifacts?: NewArtifact[] } {
  const message = `The agent left conflict markers in ${paths.join(', ').slice(0, 2_000)}.`;
  return { status: 'failed', error: { code: 'agent_error', message } };
}
