// The columns of the tables of runs, by the fields of the model: the only list of them. Statements are made from it, and their
// rows are the model's own objects. Only this program writes the columns, so their shapes are trusted.
import type {
  PrdRun,
  RunEvent,
  RunLearning,
  RunQuestion,
  RunStep,
  RunStory,
  StoryAttempt,
} from '../../../domain/model/run/run.ts';

/** How a column is read: as it is, or as a time in ISO 8601. */
type Form = 'plain' | 'time';
export type RecordColumns<T> = Readonly<Record<keyof T & string, Form>>;

export const runColumns: RecordColumns<PrdRun> = {
  id: 'plain',
  codebaseId: 'plain',
  project: 'plain',
  description: 'plain',
  branch: 'plain',
  baseCommit: 'plain',
  headCommit: 'plain',
  publishedCommit: 'plain',
  homeWorkerId: 'plain',
  status: 'plain',
  pauseMode: 'plain',
  mode: 'plain',
  maxParallel: 'plain',
  maxIterations: 'plain',
  currentIteration: 'plain',
  prd: 'plain',
  baseline: 'plain',
  options: 'plain',
  budget: 'plain',
  spent: 'plain',
  budgetShare: 'plain',
  acceptsUnpriced: 'plain',
  priority: 'plain',
  webhookUrl: 'plain',
  conversationId: 'plain',
  retryOf: 'plain',
  prdSessionId: 'plain',
  prdVersion: 'plain',
  warnings: 'plain',
  waitingReason: 'plain',
  error: 'plain',
  createdBy: 'plain',
  keyId: 'plain',
  actsAs: 'plain',
  baseBundles: 'plain',
  createdAt: 'time',
  updatedAt: 'time',
  startedAt: 'time',
  completedAt: 'time',
  activeSince: 'time',
  dueAt: 'time',
  version: 'plain',
  lastSeq: 'plain',
};

export const storyColumns: RecordColumns<RunStory> = {
  storyId: 'plain',
  position: 'plain',
  title: 'plain',
  description: 'plain',
  criteria: 'plain',
  priority: 'plain',
  dependsOn: 'plain',
  checks: 'plain',
  allowTestChanges: 'plain',
  agent: 'plain',
  model: 'plain',
  status: 'plain',
  phase: 'plain',
  iteration: 'plain',
  extraIterations: 'plain',
  commit: 'plain',
  result: 'plain',
  wait: 'plain',
  conflicts: 'plain',
  diagnoses: 'plain',
  passedAt: 'time',
  carriedFrom: 'plain',
};

export const attemptColumns: RecordColumns<StoryAttempt> = {
  storyId: 'plain',
  n: 'plain',
  try: 'plain',
  status: 'plain',
  baseCommit: 'plain',
  candidateCommit: 'plain',
  candidateTree: 'plain',
  storyCommit: 'plain',
  failureCode: 'plain',
  fingerprint: 'plain',
  summary: 'plain',
  agent: 'plain',
  promptSha256: 'plain',
  startedAt: 'time',
  endedAt: 'time',
};

export const stepColumns: RecordColumns<RunStep> = {
  id: 'plain',
  kind: 'plain',
  storyId: 'plain',
  n: 'plain',
  try: 'plain',
  taskId: 'plain',
  status: 'plain',
  base: 'plain',
  candidate: 'plain',
  head: 'plain',
  agent: 'plain',
  targetWorkerId: 'plain',
  result: 'plain',
  code: 'plain',
  workerId: 'plain',
  infraTries: 'plain',
  createdAt: 'time',
  endedAt: 'time',
  bundleArtifactId: 'plain',
};

export const questionColumns: RecordColumns<RunQuestion> = {
  id: 'plain',
  kind: 'plain',
  storyId: 'plain',
  text: 'plain',
  options: 'plain',
  data: 'plain',
  askedAt: 'time',
  answeredAt: 'time',
  answer: 'plain',
  answeredBy: 'plain',
  settled: 'plain',
};

export const learningColumns: RecordColumns<RunLearning> = {
  id: 'plain',
  storyId: 'plain',
  n: 'plain',
  kind: 'plain',
  author: 'plain',
  text: 'plain',
  at: 'time',
};

export const runEventColumns: RecordColumns<RunEvent> = { seq: 'plain', type: 'plain', data: 'plain', at: 'time' };

/** The column of a field: `maxParallel` is stored in `max_parallel`. */
export function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The names of the columns, for the lists of a statement. */
export function columnNames(columns: Readonly<Record<string, Form>>, prefix = ''): string {
  return Object.keys(columns)
    .map((field) => `${prefix}"${columnOf(field)}"`)
    .join(', ');
}

/** An expression whose value is the model's object of the row with that alias. */
export function objectOf(
  columns: Readonly<Record<string, Form>>,
  alias: string,
  other: Readonly<Record<string, string>> = {},
): string {
  const members = Object.entries(columns).map(([field, form]) => {
    const column = `${alias}."${columnOf(field)}"`;
    return `'${field}', ${other[field] ?? (form === 'time' ? isoText(column) : column)}`;
  });
  return `json_build_object(${members.join(', ')})`;
}

/** The text of a time as callers see it: ISO 8601 in UTC with milliseconds. */
export function isoText(time: string): string {
  return `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The fields of a change under the names of their columns, as `jsonb_populate_record` takes them. */
export function toColumns(change: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(change).map(([field, value]) => [columnOf(field), value])));
}
