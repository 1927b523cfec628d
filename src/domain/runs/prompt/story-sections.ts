// The sections that prompts of several kinds share. Texts of people and agents stand in fences.
import { unreachable } from '../../../lib/net/unreachable.ts';
import type { RunLearning } from '../../model/run/run.ts';
import type { CriterionTie } from '../../prd/criterion-rules.ts';
import type { PromptFacts } from './prompt-facts.ts';
import { fenced, oneLine } from './fence.ts';

export function storySection({ story }: PromptFacts): string {
  const description =
    story.description.trim() === '' ? '' : `\n${fenced('description of the story', story.description)}`;
  return `# Story ${story.storyId}: ${oneLine(story.title)}${description}`;
}

/** The numbered criteria, each with how it will be checked. */
export function criteriaSection(facts: PromptFacts): string {
  const { story, ties } = facts;
  const lines = story.criteria.map((text, index) => {
    const tie = ties[index] ?? { by: 'judge' as const };
    return `${index + 1}. ${oneLine(text)}\n   - checked by ${howChecked(facts, index, tie)}`;
  });
  const whole = story.checks
    .filter(({ criterion }) => criterion === null)
    .map(({ command }) => `- The story as a whole is checked by ${code(command)}${before(facts, null, command)}.`);
  return ['## Acceptance criteria', ...lines, ...whole].join('\n');
}

function howChecked(facts: PromptFacts, index: number, tie: CriterionTie): string {
  switch (tie.by) {
    case 'gate': {
      const gate = facts.run.baseline?.gates.find(({ id }) => id === tie.gateId);
      return `the gate ${tie.gateId}${gate === undefined ? '' : `: ${code(gate.command)}`}`;
    }
    case 'check':
      return `${code(tie.command)}${before(facts, index, tie.command)}`;
    case 'judge':
      return 'an independent reviewer who reads your change';
    default:
      return unreachable(tie);
  }
}

function before({ run, story }: PromptFacts, criterion: number | null, command: string): string {
  const found = run.baseline?.checksBefore.find(
    (each) => each.story_id === story.storyId && each.criterion === criterion && each.command === command,
  );
  if (found === undefined) return '';
  return found.passed ? ' (it passes already)' : ' (it fails now)';
}

export function gatesSection({ run, story }: PromptFacts): string {
  const gates = (run.baseline?.gates ?? []).filter(({ required }) => required);
  const red = new Set(
    (run.baseline?.results ?? []).filter(({ passed }) => !passed).map(({ gate_id: gateId }) => gateId),
  );
  const names = gates.map(
    ({ id, command }) => `${id} ${code(command)}${red.has(id) ? ' (it fails now: mend it first)' : ''}`,
  );
  const must = names.length === 0 ? 'There are no gates.' : `Gates that must pass: ${names.join(', ')}.`;
  const tests =
    story.allowTestChanges === false
      ? 'Test files and gate settings are compared with the base: add new tests, and leave the existing ones as they are.'
      : 'The story may change existing tests where it says so. Gate settings are compared with the base.';
  return `${must} ${tests}`;
}

export function projectSection({ run, story, stories }: PromptFacts): string {
  const others = stories
    .filter(({ storyId }) => storyId !== story.storyId)
    .map(({ storyId, title, status }) => `- ${storyId} (${status}): ${oneLine(title)}`);
  const landed = stories
    .filter((each) => each.status === 'passed' && each.commit !== null)
    .toSorted((a, b) => (a.passedAt ?? '').localeCompare(b.passedAt ?? ''))
    .slice(-30)
    .map(({ commit, storyId, title }) => `- ${commit?.slice(0, 7) ?? ''} feat: ${storyId} - ${oneLine(title)}`);
  return [
    `# Project ${oneLine(run.project)}`,
    fenced('description of the project', run.description),
    ...(others.length === 0 ? [] : ['## Other stories: not yours', ...others]),
    ...(landed.length === 0 ? [] : ['## Already done in this run (git log)', ...landed]),
  ].join('\n');
}

/** Guidance of people counts as an instruction; that of a program is data. */
export function guidanceSection({ learnings, story }: PromptFacts): string {
  const guidance = learnings.filter(
    ({ kind, storyId }) => kind === 'guidance' && (storyId === null || storyId === story.storyId),
  );
  const lines = guidance.filter(({ author }) => author !== 'agent').map(({ text }) => `- ${oneLine(text)}`);
  const advice = guidance.filter(({ author }) => author === 'agent').map(({ text }) => text);
  return [
    ...(lines.length === 0 ? [] : ['# Guidance from people: follow it', ...lines]),
    ...(advice.length === 0 ? [] : ['# Advice from another program', fenced('advice of a program', advice.join('\n'))]),
  ].join('\n');
}

/** The last attempt in full, earlier ones in two lines each. */
export function earlierAttemptsSection(facts: PromptFacts): string {
  const own = failuresOf(facts);
  const last = own.at(-1);
  if (last === undefined) return '';
  const earlier = own.slice(0, -1).map((each) => {
    const [first = '', second = ''] = each.text.split('\n').filter((line) => line.trim() !== '');
    return `- Iteration ${each.n ?? 0}: ${oneLine(first).slice(0, 300)}\n  ${oneLine(second).slice(0, 300)}`.trimEnd();
  });
  const advice = facts.learnings.findLast(
    ({ kind, storyId }) => kind === 'diagnosis' && storyId === facts.story.storyId,
  );
  return [
    `# The last attempt (iteration ${last.n ?? 0}) and why it was rejected`,
    fenced('facts about the last attempt', last.text),
    ...(earlier.length === 0 ? [] : ['## Attempts before it', ...earlier]),
    ...(advice === undefined ? [] : ['## A different way', fenced('advice of another agent', advice.text)]),
  ].join('\n');
}

export function failuresOf({ learnings, story }: PromptFacts): RunLearning[] {
  return learnings.filter(
    ({ kind, storyId }) => (kind === 'failure' || kind === 'conflict') && storyId === story.storyId,
  );
}

export function learntSection({ learnings }: PromptFacts): string {
  const patterns = [
    ...new Set(learnings.filter(({ kind }) => kind === 'pattern').map(({ text }) => `- ${oneLine(text)}`)),
  ];
  if (patterns.length === 0) return '';
  return `# What was learnt (progress.txt has more)\n${patterns.join('\n').slice(0, 8 * 1024)}`;
}

/** A command as a code span. */
function code(command: string): string {
  const fence = command.includes('`') ? '``' : '`';
  return `${fence}${oneLine(command)}${fence}`;
}
