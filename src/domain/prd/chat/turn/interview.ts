// Answers a PRD chat without any model: five fixed questions, and a draft from the lists and commands in the answers. runs-13.
import type { PrdOperation, PrdQuestion, PrdTurn } from '../../../model/prd/prd-session.ts';
import type { AssistantAnswer } from './parse-answer.ts';

const questions: readonly PrdQuestion[] = [
  {
    id: 'goal',
    text: 'What is to be built, and for whom? One or two sentences.',
    options: [
      { key: 'A', text: 'A new feature' },
      { key: 'B', text: 'A change of what exists' },
      { key: 'C', text: 'A repair' },
    ],
  },
  {
    id: 'stories',
    text: 'Which pieces can be built one after another? Write one a line, each beginning with "- ".',
    options: [
      { key: 'A', text: 'One piece is enough' },
      { key: 'B', text: 'Several: I list them' },
    ],
  },
  {
    id: 'gates',
    text: 'Which commands show that the work is right? Write each in backticks, such as `npm test`.',
    options: [
      { key: 'A', text: '`npm test`' },
      { key: 'B', text: 'I name others' },
    ],
  },
  {
    id: 'scope',
    text: 'What is not part of it?',
    options: [
      { key: 'A', text: 'Nothing to exclude' },
      { key: 'B', text: 'I name what stays out' },
    ],
  },
  {
    id: 'order',
    text: 'In which order are the pieces built?',
    options: [
      { key: 'A', text: 'In the order of the list' },
      { key: 'B', text: 'In any order: they do not need each other' },
    ],
  },
];

/** @param turns the turns so far, the message to answer last */
export function interview(turns: readonly PrdTurn[]): AssistantAnswer {
  const messages = turns.filter(({ role }) => role === 'user').map(({ text }) => text);
  const next = questions[messages.length];
  const hasAnswers = messages.length >= questions.length;
  const stories = bulletsOf(messages);
  const operations = stories.length > 0 || hasAnswers ? draft(messages, stories) : [];
  const asked = next === undefined ? [] : [next];
  return { reply: replyOf(asked, operations.length > 0), questions: asked, operations };
}

function replyOf(asked: readonly PrdQuestion[], hasDraft: boolean): string {
  const drafted = hasDraft ? 'I have written a draft from your answers.' : '';
  const [question] = asked;
  const then = question === undefined ? 'Change it as you like, then start the run.' : question.text;
  return [drafted, then].filter((part) => part !== '').join(' ');
}

function bulletsOf(messages: readonly string[]): string[] {
  return messages.flatMap((text) =>
    [...text.matchAll(/^[ \t]*- +(\S.*)$/gm)].map(([, bullet = '']) => bullet.trim()).filter((bullet) => bullet !== ''),
  );
}

function commandsOf(messages: readonly string[]): string[] {
  return [
    ...new Set(
      messages.flatMap((text) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, command = '']) => command.trim())),
    ),
  ].filter((command) => command !== '');
}

/** A story has one criterion more, of at most 50. */
const maxCommands = 49;

function draft(messages: readonly string[], bullets: readonly string[]): PrdOperation[] {
  const goal = proseOf(messages[0] ?? '');
  const project =
    goal
      .split(/[.!?\n]/)[0]
      ?.trim()
      .slice(0, 80) || 'Project';
  const commands = commandsOf(messages).slice(0, maxCommands);
  const titles = bullets.length > 0 ? bullets : [project];
  const checks = commands.map((command) => `\`${command}\` passes`);
  const anyOrder = /^\s*B\b|any order|independent/i.test(messages[4] ?? '');
  return [
    { op: 'set', field: 'project', value: project },
    { op: 'set', field: 'branchName', value: branchOf(project) },
    { op: 'set', field: 'description', value: goal === '' ? project : goal },
    {
      op: 'set',
      field: 'gates',
      value: commands.map((command, index) => ({ id: `gate-${index + 1}`, command })),
    },
    ...titles.slice(0, 100).map((title, index) => ({
      op: 'upsert_story' as const,
      story: {
        id: storyId(index),
        title: title.slice(0, 200),
        description: title,
        acceptanceCriteria: [`THE SYSTEM SHALL: ${title}`, ...checks],
        ...(index > 0 && !anyOrder && { dependsOn: [storyId(index - 1)] }),
      },
    })),
  ];
}

function storyId(index: number): string {
  return `US-${String(index + 1).padStart(3, '0')}`;
}

/** A message without its list. */
function proseOf(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*- /.test(line))
    .join('\n')
    .trim();
}

function branchOf(project: string): string {
  const slug = project
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return slug === '' ? 'project' : slug.replace(/-+$/, '');
}
