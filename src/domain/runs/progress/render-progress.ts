// Renders progress.txt from the learnings of a run: for a work place with a limit, for readers in full. runs-9.
import { oneLine } from '../prompt/fence.ts';
import type { PrdRun, RunLearning, StoryAttempt } from '../../model/run/run.ts';

export interface ProgressInput {
  readonly run: Pick<PrdRun, 'id' | 'project'>;
  /** Oldest first. */
  readonly learnings: readonly RunLearning[];
  readonly attempts: readonly Pick<StoryAttempt, 'storyId' | 'n' | 'status'>[];
  /** The story whose entries are kept in full. */
  readonly storyId?: string | undefined;
}

export const maxProgressBytes = 64 * 1024;

interface Entry {
  readonly storyId: string | null;
  readonly text: string;
}

/** The whole text, for readers. */
export function renderProgress(input: ProgressInput): string {
  return [head(input), patterns(input), ...entriesOf(input).map(({ text }) => text)].join('');
}

/**
 * The text for the work place of a story, at most `maxBytes`: patterns first, the entries of the story in full, the last
 * entry of each other story; older entries are counted in one line.
 */
export function renderProgressFor(input: ProgressInput, maxBytes = maxProgressBytes): string {
  const entries = entriesOf(input);
  const start = head(input) + cutBytes(patterns(input), maxBytes / 4);
  const last = new Map(entries.map((entry, index) => [entry.storyId, index]));
  const wanted = entries.filter(
    (entry, index) => entry.storyId === null || entry.storyId === input.storyId || last.get(entry.storyId) === index,
  );
  const kept: string[] = [];
  let left = maxBytes - Buffer.byteLength(start) - 200;
  for (const { text } of wanted.toReversed()) {
    const size = Buffer.byteLength(text);
    if (size > left) break;
    kept.unshift(text);
    left -= size;
  }
  const folded = entries.length - kept.length;
  const note =
    folded === 0 ? '' : `… ${folded} earlier entries: GET /v1/ralph/runs/${input.run.id}/progress.txt\n---\n`;
  return [start, note, ...kept].join('');
}

function head({ run }: ProgressInput): string {
  return `# Progress: ${oneLine(run.project)} (run ${run.id})\n`;
}

function patterns({ learnings }: ProgressInput): string {
  const lines = new Set(learnings.filter(({ kind }) => kind === 'pattern').map(({ text }) => `- ${oneLine(text)}`));
  return `## Codebase Patterns\n${lines.size === 0 ? '' : `${[...lines].join('\n')}\n`}`;
}

/** One entry for each iteration of a story, and one for each guidance, in order of their first line. */
function entriesOf({ learnings, attempts }: ProgressInput): Entry[] {
  const outcome = new Map(attempts.map(({ storyId, n, status }) => [`${storyId} ${n}`, status]));
  const groups = Map.groupBy(
    learnings.filter(({ kind }) => kind !== 'pattern'),
    ({ id, kind, storyId, n }) => (kind === 'guidance' ? id : `${storyId ?? ''} ${n ?? 0}`),
  );
  return [...groups].flatMap(([key, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const time = `${first.at.slice(0, 16).replace('T', ' ')} UTC`;
    const status = outcome.get(key);
    const ended = status === 'passed' || status === 'failed' ? `: ${status}` : '';
    const title =
      first.kind === 'guidance'
        ? `${first.storyId ?? 'all'}, guidance`
        : `${first.storyId ?? 'all'}, iteration ${first.n ?? 0}${ended}`;
    const lines = group.map((learning) => linesOf(learning)).join('');
    return [{ storyId: first.storyId, text: `## ${time} - ${title}\n${lines}---\n` }];
  });
}

const labels: Readonly<Record<RunLearning['kind'], string>> = {
  failure: '',
  note: 'Learnings: ',
  pattern: '',
  diagnosis: 'Diagnosis: ',
  guidance: '',
  conflict: 'Conflict: ',
};

/**
 * A learning as a list item, or as several where it is a list; other lines of it are indented, so that none of them can
 * look like a heading.
 */
function linesOf({ kind, text }: RunLearning): string {
  const [first = '', ...rest] = text.split('\n');
  const isList = labels[kind] === '' && first.startsWith('- ');
  const start = isList ? first : `- ${labels[kind]}${first}`;
  return [start, ...rest.map((line) => (isList && line.startsWith('- ') ? line : `  ${line}`))]
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

function cutBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const lines = text.split('\n');
  while (lines.length > 1 && Buffer.byteLength(lines.join('\n')) > maxBytes) lines.pop();
  return `${lines.join('\n')}\n`;
}
