// Imports `prd.json` of ralph: its form is ours, with members of its relatives beside it. runs-13.
import { ImportLog, notImportable, slugOf, type ImportedPrd, type ImportFile } from './import-log.ts';
import { readSource } from './read-source.ts';
import { SourceObject } from './source-object.ts';

const kept = ['gates', 'setup', 'copy', 'protect', 'nonGoals', 'openQuestions'] as const;
const keptOfStory = [
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

type Members = Record<string, unknown>;

/** @throws DomainError invalid `invalid_prd` when a member has the wrong form */
export function importRalph(file: ImportFile): ImportedPrd {
  const log = new ImportLog();
  const source = SourceObject.of(readSource(file));
  if (source === undefined) throw notImportable(`${file.name} is not a prd.json: it holds no object.`);
  return log.complete(mapRalphDocument(source, log));
}

/** The members of the document; what has no place is dropped. */
export function mapRalphDocument(source: SourceObject, log: ImportLog): Members {
  const project = takeSpelled(source, 'project') ?? takeSpelled(source, 'name') ?? 'Imported PRD';
  const metadata = takeMetadata(source);
  const labels: Members = {};
  const stories = (source.has('user_stories') ? source.takeItems('user_stories') : source.takeItems('userStories')).map(
    ({ value, path }) => mapStory(value, path, labels, log),
  );
  const document: Members = {
    project,
    branchName: takeSpelled(source, 'branchName') ?? slugOf(typeof project === 'string' ? project : '', 'imported-prd'),
    description: takeSpelled(source, 'description') ?? project,
    userStories: stories,
    ...takeAll(source, kept),
  };
  addCommands(source, document);
  source.dropRest(log);
  const labelled = Object.keys(labels).length > 0 ? { ...metadata, labels } : metadata;
  return { ...document, metadata: labelled };
}

function mapStory(value: unknown, path: string, labels: Members, log: ImportLog): unknown {
  const source = SourceObject.of(value, path);
  if (source === undefined) return value;
  const id = takeSpelled(source, 'id');
  if (Array.isArray(source.peek('labels'))) {
    const list = source.take('labels');
    if (Array.isArray(list) && list.length > 0) labels[String(id)] = list;
  }
  const members = takeAll(source, keptOfStory);
  const note = source.takeText('completionNotes');
  if (note !== undefined)
    members['notes'] = [members['notes'], note].filter((text) => typeof text === 'string' && text !== '').join('\n\n');
  source.dropRest(log);
  return { id, description: members['title'], acceptanceCriteria: [], ...members };
}

/** The commands that some versions list by name are gates. */
function addCommands(source: SourceObject, document: Members): void {
  const commands = SourceObject.of(source.peek('verificationCommands'));
  if (commands === undefined || document['gates'] !== undefined) return;
  const named = commands.keys().map((id) => ({ id, command: commands.peek(id) }));
  if (named.length === 0 || !named.every(({ command }) => typeof command === 'string' && command.trim() !== '')) return;
  source.take('verificationCommands');
  document['gates'] = named;
}

function takeMetadata(source: SourceObject): Members {
  const metadata = SourceObject.of(source.peek('metadata'));
  if (metadata === undefined) return {};
  source.take('metadata');
  return Object.fromEntries(metadata.keys().map((key) => [key, metadata.peek(key)]));
}

function takeAll(source: SourceObject, names: readonly string[]): Members {
  return Object.fromEntries(
    names.map((name) => [name, takeSpelled(source, name)] as const).filter(([, value]) => value !== undefined),
  );
}

/** A member in either spelling. A blank text and null are absent. */
function takeSpelled(source: SourceObject, name: string): unknown {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const value = source.has(name) ? source.take(name) : source.take(snake);
  return value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value;
}
