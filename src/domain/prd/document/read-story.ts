// Reads one user story of a PRD. runs-13, runs-18.
import type { AllowTestChanges, PrdCheck, PrdStory } from '../../model/prd/prd.ts';
import { FieldReader, type ReportFault } from './field-reader.ts';
import { identifierFault } from './identifier.ts';

const maxCriteria = 50;
const maxChecks = 100;
const maxDependencies = 100;
const maxPriority = 1_000_000;

const storyFields = [
  'id',
  'title',
  'description',
  'acceptanceCriteria',
  'priority',
  'dependsOn',
  'passes',
  'notes',
  'checks',
  'allowTestChanges',
  'agent',
  'model',
] as const;

/** The story, with an empty text for what is missing; undefined when the value is no object. Faults go to `report`. */
export function readStory(value: unknown, path: string, report: ReportFault): PrdStory | undefined {
  const fields = FieldReader.open(value, path, storyFields, report);
  if (fields === undefined) return undefined;
  if (!fields.has('acceptanceCriteria')) report(fields.pathOf('acceptanceCriteria'), 'is required');
  const acceptanceCriteria = fields.texts('acceptanceCriteria', { max: maxCriteria }) ?? [];
  return {
    id: readIdentifier(fields, report),
    title: fields.requiredLine('title'),
    description: fields.requiredText('description'),
    acceptanceCriteria,
    priority: fields.integer('priority', -maxPriority, maxPriority),
    dependsOn: fields.texts('dependsOn', { max: maxDependencies, reject: identifierFault }),
    passes: fields.flag('passes') ?? false,
    notes: fields.optionalText('notes'),
    checks: readChecks(fields, acceptanceCriteria.length, report),
    allowTestChanges: readAllowTestChanges(fields),
    agent: fields.optionalText('agent'),
    model: fields.optionalText('model'),
  };
}

/** The `id` of a story or a gate. */
export function readIdentifier(fields: FieldReader, report: ReportFault): string {
  const id = fields.requiredText('id');
  const reason = id.trim() === '' ? undefined : identifierFault(id);
  if (reason !== undefined) report(fields.pathOf('id'), reason);
  return id;
}

function readChecks(story: FieldReader, criteria: number, report: ReportFault): readonly PrdCheck[] {
  const checks = story.list('checks', maxChecks, (value, path): PrdCheck | undefined => {
    const fields = FieldReader.open(value, path, ['criterion', 'command'], report);
    if (fields === undefined) return undefined;
    const criterion = fields.integer('criterion', 0, maxCriteria);
    if (criterion !== null && criterion >= criteria)
      report(fields.pathOf('criterion'), `names no criterion: the story has ${criteria}, counted from 0`);
    return { criterion, command: fields.requiredText('command') };
  });
  return (checks ?? []).filter((check) => check !== undefined);
}

function readAllowTestChanges(story: FieldReader): AllowTestChanges {
  const value = story.raw('allowTestChanges');
  if (Array.isArray(value)) return story.texts('allowTestChanges', { max: maxChecks }) ?? false;
  return story.flag('allowTestChanges') ?? false;
}
