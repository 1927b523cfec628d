// Renders progress.txt with every entry of a run, in the form that its readers know. runs-9.
import type { PrdRun, RunLearning, StoryAttempt } from '../../model/run/run.ts';

/**
 * @param attempts of all stories, oldest first
 * @param learnings all of the run, oldest first
 */
export function renderProgressLog(
  run: Pick<PrdRun, 'id' | 'project'>,
  attempts: readonly StoryAttempt[],
  learnings: readonly RunLearning[],
): string {
  const patterns = learnings.filter(({ kind }) => kind === 'pattern').map(({ text }) => `- ${indent(text)}`);
  const entries = groupByHeading(
    learnings.filter(({ kind }) => kind !== 'pattern'),
    attempts,
  );
  return [
    `# Progress: ${run.project} (run ${run.id})`,
    '## Codebase Patterns',
    ...patterns,
    ...entries.flatMap(({ heading, texts }) => [`## ${heading}`, ...texts.map((text) => `- ${indent(text)}`), '---']),
    '',
  ].join('\n');
}

interface ProgressEntry {
  readonly heading: string;
  readonly texts: string[];
}

/** Learnings of one attempt stand together, where its first one stands; guidance of people stands alone. */
function groupByHeading(learnings: readonly RunLearning[], attempts: readonly StoryAttempt[]): ProgressEntry[] {
  const entries: ProgressEntry[] = [];
  const byAttempt = new Map<string, ProgressEntry>();
  for (const learning of learnings) {
    const key = `${learning.storyId} ${learning.n}`;
    const existing = learning.kind === 'guidance' ? undefined : byAttempt.get(key);
    if (existing !== undefined) {
      existing.texts.push(learning.text);
      continue;
    }
    const entry = { heading: headingOf(learning, attempts), texts: [learning.text] };
    entries.push(entry);
    if (learning.kind !== 'guidance') byAttempt.set(key, entry);
  }
  return entries;
}

function headingOf({ at, kind, storyId, n }: RunLearning, attempts: readonly StoryAttempt[]): string {
  const time = `${at.slice(0, 16).replace('T', ' ')} UTC`;
  const what = storyId ?? 'all';
  if (kind === 'guidance') return `${time} - ${what}, guidance`;
  if (n === null) return `${time} - ${what}, ${kind}`;
  const status = attempts.findLast((attempt) => attempt.storyId === storyId && attempt.n === n)?.status ?? 'open';
  return `${time} - ${what}, iteration ${n}: ${status}`;
}

/** Later lines of a text are indented, so that none of them looks like a heading. */
function indent(text: string): string {
  return text.trimEnd().replaceAll('\n', '\n  ');
}
