// Tables of runs and of the stories of one run, as text.
import type { CriterionResultWire, RunQuestionWire, RunWire, StoryResultWire } from '../../contracts/ralph/run.ts';
import { age, fields, shorten, singleLine, table } from '../core/output.ts';

const marks: Readonly<Record<CriterionResultWire['status'], string>> = {
  passed: '✓',
  failed: '✗',
  unverified: '?',
  pending: '·',
};

/** One mark for each criterion: `✓✗?·`. */
export function criteriaMarks(criteria: readonly Pick<CriterionResultWire, 'status'>[]): string {
  return criteria.map(({ status }) => marks[status]).join('');
}

export function runListTable(runs: readonly RunWire[], now: number): string {
  const rows = runs.map((run) => [
    run.run_id,
    run.waiting_reason === undefined ? run.status : `${run.status} (${run.waiting_reason})`,
    `${run.stories.passed}/${run.stories.total}`,
    age(run.created_at, now),
    run.branch_name,
    shorten(run.project, 40),
  ]);
  return table(['ID', 'STATUS', 'PASSED', 'AGE', 'BRANCH', 'PROJECT'], rows);
}

/** @param width of the terminal; the last column is cut to it */
export function storyTable(stories: readonly StoryResultWire[], width = 200): string {
  const rows = stories.map((story) => [
    story.story_id,
    story.phase ?? story.status,
    String(story.iteration),
    criteriaMarks(story.criteria),
    lastWord(story),
  ]);
  const lines = table(['STORY', 'PHASE', 'ITERATIONS', 'CRITERIA', 'LAST'], rows).trimEnd().split('\n');
  return `${lines.map((line) => shorten(line, width)).join('\n')}\n`;
}

/** The agent's last line while a story is at work, its result otherwise. */
function lastWord({ status, last_output: output, result, waiting_reason: reason }: StoryResultWire): string {
  if (status === 'running' && output !== undefined) return output.text;
  return reason === undefined ? result : `${result} (${reason})`;
}

/** The amounts spent, with the bounds where there are any: `$1.20 of $5.00, 120000 tokens, 14 min`. */
export function spentLine({ spent, budget }: Pick<RunWire, 'spent' | 'budget'>): string {
  const { usd, tokens, seconds, iterations, unpriced_steps: unpriced } = spent;
  const least = unpriced > 0 ? 'at least ' : '';
  const parts = [
    usd === null ? '' : `${least}$${usd.toFixed(2)}${ofBound(budget.usd, (bound) => `$${bound.toFixed(2)}`)}`,
    `${tokens} tokens${ofBound(budget.tokens, String)}`,
    `${minutes(seconds)}${ofBound(budget.seconds, minutes)}`,
    `iterations: ${iterations}${ofBound(budget.iterations, String)}`,
    unpriced === 0 ? '' : `steps without a price: ${unpriced}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function ofBound(bound: number | null, write: (bound: number) => string): string {
  return bound === null ? '' : ` of ${write(bound)}`;
}

function minutes(seconds: number): string {
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** An open question with its options, and how it is answered. */
export function runQuestionText(runId: string, question: RunQuestionWire, program: string): string {
  const { question_id: id, kind, story_id: story, text, options } = question;
  const about = story === null ? '' : ` about ${singleLine(story)}`;
  const lines = text.split('\n').map((line) => `  ${singleLine(line)}\n`);
  const how =
    options.length === 0
      ? `  answer: ${program} ralph answer ${runId} --question ${id} 'your text'\n`
      : `  options: ${options.map(singleLine).join(', ')}\n  answer: ${program} ralph answer ${runId} --question ${id} ${options[0] ?? ''}\n`;
  return `question ${kind}${about} (${id})\n${lines.join('')}${how}`;
}

/** A run for people: its members, its stories, its open questions. */
export function runText(run: RunWire, program: string): string {
  const rows: [string, string | null | undefined][] = [
    ['run', run.run_id],
    ['project', run.project],
    ['status', run.waiting_reason === undefined ? run.status : `${run.status} (${run.waiting_reason})`],
    ['branch', run.branch_name],
    ['base', run.base_commit],
    ['head', run.head_commit],
    ['codebase', run.codebase_id],
    ['mode', run.mode === 'parallel' ? `parallel, at most ${run.max_parallel}` : run.mode],
    ['iteration', `${run.current_iteration} of ${run.max_iterations}`],
    ['spent', spentLine(run)],
    ['gates', run.gates.map(({ id, command }) => `${id} \`${command}\``).join(', ') || null],
    ['created', `${run.created_at} by ${run.created_by}`],
    ['ended', run.completed_at],
    ['retry of', run.retry_of],
    ['PRD chat', run.prd_session_id],
    ['error', run.error === null ? null : `${run.error.code}: ${run.error.message}`],
    ...run.warnings.map(({ code, message }): [string, string] => ['warning', `${code}: ${message}`]),
  ];
  const known = rows.flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[name, value]],
  );
  const questions = run.questions.map((question) => `\n${runQuestionText(run.run_id, question, program)}`);
  return `${fields(known)}\n${storyTable(run.story_results)}${questions.join('')}`;
}
