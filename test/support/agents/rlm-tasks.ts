// Five tasks over long texts with exact answers, and a scripted model that computes from the text that it gets.
import { z } from 'zod';
import type { PlainAnswer, Step } from './scripted-model.ts';

export interface RlmTask {
  readonly name: string;
  /** The question; the scripted model needs it no more than by its blocks. */
  readonly question: string;
  /** Stands before the question in the prompt. */
  readonly text: string;
  /** Files of the workspace, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly steps: Step[];
  readonly plainAnswer: PlainAnswer;
  readonly expected: string;
  readonly subcalls: number;
}

export interface RlmTaskSizes {
  readonly needleChars: number;
  readonly labelledLines: number;
  readonly pairItems: number;
  readonly documents: number;
  readonly repositoryFiles: number;
}

const chat = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) });
const contentParts = z.array(z.looseObject({ text: z.string() }));

/** The text of the last message of a chat request. */
export function lastUserText(raw: string): string {
  const content = chat.parse(JSON.parse(raw)).messages.at(-1)?.content;
  if (typeof content === 'string') return content;
  return contentParts
    .parse(content)
    .map(({ text }) => text)
    .join('');
}

const noPlainAnswer: PlainAnswer = () => 500;
/** Ends with what the last block printed. */
const tellLastResult: Step = ({ lastResult }) => ({ reply: lastResult.trim() });

function block(code: string): Step {
  return { call: 'repl', args: { code } };
}

/** The same pseudo-random numbers for the same seed. */
function createNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

function needleTask(chars: number): RlmTask {
  const line = 'The grass is green, the sky is blue, and the sun is yellow.\n';
  const lines = Array.from({ length: Math.ceil(chars / line.length) }, () => line);
  lines[Math.floor(lines.length * 0.61)] = 'The magic number is 7481926.\n';
  return {
    name: 'needle',
    question: 'What is the magic number? Answer the number alone.',
    text: lines.join(''),
    files: {},
    steps: [block('print(context[0].search("magic number is")[0].text.match(/[0-9]+/)[0])'), tellLastResult],
    plainAnswer: noPlainAnswer,
    expected: '7481926',
    subcalls: 0,
  };
}

const praise = ['splendid', 'wonderful', 'a delight', 'superb'];
const blame = ['dreadful', 'a letdown', 'broken', 'poor'];

function countTask(count: number): RlmTask {
  const number = createNumbers(7);
  let expected = 0;
  const lines = Array.from({ length: count }, (_, index) => {
    const isPraise = number(3) === 0;
    if (isPraise) expected += 1;
    const words = isPraise ? praise : blame;
    return `review ${index}: I found this product ${words[number(words.length)] ?? ''}.`;
  });
  const size = Math.max(1, Math.ceil(count / 20));
  const ask = (from: number): string => `
    for (const answer of llmBatch(chunks.slice(${from}, ${from + 5}).map((lines) => ({
      prompt: 'How many of these reviews praise the product? Answer a number alone.', text: lines.join('\\n') })))) total += Number(answer);
    total`;
  const opening = `
    const lines = context[0].lines().filter((line) => line.startsWith('review '));
    const chunks = [];
    for (let at = 0; at < lines.length; at += ${size}) chunks.push(lines.slice(at, at + ${size}));
    let total = 0;`;
  return {
    name: 'count',
    question: 'How many of the reviews praise the product? Answer the number alone.',
    text: `${lines.join('\n')}\n`,
    files: {},
    steps: [block(opening + ask(0)), block(ask(5)), block(ask(10)), block(ask(15)), tellLastResult],
    plainAnswer: (raw) => {
      const praised = lastUserText(raw)
        .split('\n')
        .filter((text) => text.startsWith('review ') && praise.some((word) => text.includes(word)));
      return String(praised.length);
    },
    expected: String(expected),
    subcalls: 20,
  };
}

const kinds: readonly (readonly [string, string])[] = [
  ['animal', 'a heron'],
  ['tool', 'a chisel'],
  ['dish', 'a risotto'],
  ['vehicle', 'a tram'],
];

function pairsTask(count: number): RlmTask {
  const number = createNumbers(11);
  const items = Array.from({ length: count }, (_, index) => {
    const [kind = '', thing = ''] = kinds[number(kinds.length)] ?? [];
    const user = number(20);
    return { kind, user, line: `item ${index} of user ${user}: ${thing}` };
  });
  const lines = items.map(({ line }) => line);
  let expected = 0;
  for (const [at, one] of items.entries()) {
    for (const other of items.slice(at + 1)) if (one.kind === other.kind && one.user === other.user) expected += 1;
  }
  const code = `
    const lines = context[0].lines().filter((line) => line.startsWith('item '));
    const size = Math.ceil(lines.length / 5);
    const chunks = [0, 1, 2, 3, 4].map((n) => lines.slice(n * size, (n + 1) * size));
    const kinds = llmBatch(chunks.map((chunk) => ({
      prompt: 'Is each thing an animal, tool, dish or vehicle? Answer a JSON array.', text: chunk.join('\\n') }))).flatMap((a) => JSON.parse(a));
    const keys = lines.map((line, n) => kinds[n] + line.match(/user ([0-9]+)/)[1]);
    const counts = {};
    for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
    Object.values(counts).reduce((sum, n) => sum + n * (n - 1) / 2, 0)`;
  return {
    name: 'pairs',
    question:
      'How many pairs of items are of one user and of one kind (animal, tool, dish, vehicle)? Answer the number alone.',
    text: `${lines.join('\n')}\n`,
    files: {},
    steps: [block(code), tellLastResult],
    plainAnswer: (raw) => {
      const asked = lastUserText(raw)
        .split('\n')
        .filter((line) => line.startsWith('item '));
      return JSON.stringify(asked.map((line) => kinds.find(([, thing]) => line.endsWith(thing))?.[0] ?? '?'));
    },
    expected: String(expected),
    subcalls: 5,
  };
}

function joinTask(count: number): RlmTask {
  const number = createNumbers(13);
  const half = Math.floor(count / 2);
  const filler = 'It was written on a quiet afternoon and says nothing else of note. '.repeat(10);
  const cities = ['Turin', 'Leeds', 'Graz', 'Porto'];
  const lives = Array.from({ length: half }, () => cities[number(cities.length)] ?? '');
  const leads = Array.from({ length: count - half }, () => number(half));
  const documents = [
    ...lives.map((city, person) => `Document about person ${person}. ${filler}Their home is in ${city}.`),
    ...leads.map((person, project) => `Document about project ${project}. ${filler}It is led by person ${person}.`),
  ];
  const expected = leads.filter((person) => lives[person] === 'Graz').length;
  const code = `
    const documents = context[0].lines().filter((line) => line.startsWith('Document about '));
    const size = Math.ceil(documents.length / 5);
    const facts = llmBatch([0, 1, 2, 3, 4].map((n) => ({
      prompt: 'For each document give [subject, home or leader] as one JSON array.', text: documents.slice(n * size, (n + 1) * size).join('\\n') })))
      .flatMap((a) => JSON.parse(a));
    const home = new Map(facts.filter(([s]) => s.startsWith('person')));
    facts.filter(([s, leader]) => s.startsWith('project') && home.get(leader) === 'Graz').length`;
  return {
    name: 'join',
    question: 'How many projects are led by a person whose home is in Graz? Answer the number alone.',
    text: `${documents.join('\n')}\n`,
    files: {},
    steps: [block(code), tellLastResult],
    plainAnswer: (raw) => {
      const facts = lastUserText(raw).matchAll(/Document about (\w+ \d+)\..*(?:home is in|led by) (.+)\./g);
      return JSON.stringify([...facts].map(([, subject = '', value = '']) => [subject, value]));
    },
    expected: String(expected),
    subcalls: 5,
  };
}

function repositoryTask(count: number): RlmTask {
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `src/part-${n % 10}/module-${n}.ts`,
      `// Module ${n}.\nexport function work${n}(): number {\n  return ${n};\n}\n${n % 7 === 0 ? '// TODO: measure this.\n' : ''}`,
    ]),
  );
  const code = `
    const marked = new Set(files.search('TODO', 'src').map(({ path }) => path));
    const largest = [...marked].map((path) => Number(files.read(path).match(/return ([0-9]+)/)[1]));
    print(marked.size + ' ' + Math.max(...largest))`;
  const largest = Math.floor((count - 1) / 7) * 7;
  return {
    name: 'repository',
    question:
      'How many files below src have a TODO, and what is the largest number that one of them returns? Answer both numbers.',
    text: '',
    files,
    steps: [block(code), tellLastResult],
    plainAnswer: noPlainAnswer,
    expected: `${Math.ceil(count / 7)} ${largest}`,
    subcalls: 0,
  };
}

export function createRlmTasks(sizes: RlmTaskSizes): RlmTask[] {
  return [
    needleTask(sizes.needleChars),
    countTask(sizes.labelledLines),
    pairsTask(sizes.pairItems),
    joinTask(sizes.documents),
    repositoryTask(sizes.repositoryFiles),
  ];
}

/** The prompt of a task: its text, then its question. */
export function rlmPrompt({ text, question }: RlmTask): string {
  return text === '' ? question : `${text}\n${question}`;
}
