// Reads the top level of a PRD: its required texts, its stories, its gates. runs-13, runs-18.
import type { Prd, PrdFinding, PrdGate, PrdStory } from '../../model/prd/prd.ts';
import { FieldReader, type ReportFault } from './field-reader.ts';
import { readIdentifier, readStory } from './read-story.ts';

const maxStories = 100;
const maxGates = 50;
const maxEntries = 200;
const maxGateSeconds = 86_400;
/** A document with more faults is not a PRD; further faults would not help. */
const maxFaults = 100;

const prdFields = [
  'project',
  'branchName',
  'description',
  'userStories',
  'gates',
  'setup',
  'copy',
  'protect',
  'nonGoals',
  'openQuestions',
  'metadata',
] as const;

/** The normalised document, or all its faults (at most 100). The value has no NUL and bounded nesting already. */
export function readPrdDocument(value: unknown): { readonly prd: Prd } | { readonly errors: readonly PrdFinding[] } {
  const errors: PrdFinding[] = [];
  const report: ReportFault = (path, message) => {
    if (errors.length < maxFaults) errors.push({ code: 'invalid_prd', path, message });
  };
  const prd = readTopLevel(value, report);
  return prd === undefined || errors.length > 0 ? { errors } : { prd };
}

function readTopLevel(value: unknown, report: ReportFault): Prd | undefined {
  const fields = FieldReader.open(value, '', prdFields, report);
  if (fields === undefined) return undefined;
  return {
    project: fields.requiredLine('project'),
    branchName: fields.requiredText('branchName'),
    description: fields.requiredText('description'),
    userStories: readStories(fields, report),
    gates: readGates(fields, report),
    setup: fields.texts('setup', { max: maxGates }),
    copy: fields.texts('copy', { max: maxEntries, reject: insidePathFault }) ?? [],
    protect: fields.texts('protect', { max: maxEntries }) ?? [],
    nonGoals: fields.texts('nonGoals', { max: maxEntries }) ?? [],
    openQuestions: fields.texts('openQuestions', { max: maxEntries }) ?? [],
    metadata: readMetadata(fields, report),
  };
}

function readStories(document: FieldReader, report: ReportFault): readonly PrdStory[] {
  const path = document.pathOf('userStories');
  if (!document.has('userStories')) report(path, 'is required');
  const stories = document.list('userStories', maxStories, (value, at) => readStory(value, at, report));
  if (stories?.length === 0) report(path, 'must have at least one story');
  return (stories ?? []).filter((story) => story !== undefined);
}

function readGates(document: FieldReader, report: ReportFault): readonly PrdGate[] | null {
  const ids = new Set<string>();
  const gates = document.list('gates', maxGates, (value, path): PrdGate | undefined => {
    const names = ['id', 'command', 'timeoutSeconds', 'required', 'network'];
    const fields = FieldReader.open(value, path, names, report);
    if (fields === undefined) return undefined;
    const id = readIdentifier(fields, report);
    if (ids.has(id)) report(fields.pathOf('id'), 'is the id of another gate too');
    ids.add(id);
    return {
      id,
      command: fields.requiredText('command'),
      timeoutSeconds: fields.integer('timeoutSeconds', 1, maxGateSeconds),
      required: fields.flag('required') ?? true,
      network: fields.flag('network'),
    };
  });
  return gates?.filter((gate) => gate !== undefined) ?? null;
}

/** Why a text is no path inside the repository; undefined for one that is. Both kinds of separators are considered. */
function insidePathFault(path: string): string | undefined {
  const outside = /^[/\\~]|^[A-Za-z]:/.test(path) || path.split(/[/\\]/).includes('..');
  return outside ? 'must be a path inside the repository, without ".."' : undefined;
}

function readMetadata(document: FieldReader, report: ReportFault): Readonly<Record<string, unknown>> {
  const value = document.raw('metadata');
  if (value === undefined) return {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value));
  report(document.pathOf('metadata'), 'must be an object');
  return {};
}
