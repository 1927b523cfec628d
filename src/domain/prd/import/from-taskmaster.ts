// Imports `tasks.json` of taskmaster, tagged (`{master: {tasks}}`) or flat (`{tasks}`): each task becomes a story. runs-13.
import { ImportLog, joinParagraphs, notImportable, slugOf, type ImportedPrd, type ImportFile } from './import-log.ts';
import { readSource } from './read-source.ts';
import { SourceObject } from './source-object.ts';

const priorities: Readonly<Record<string, number>> = { critical: 1, high: 1, medium: 2, low: 3 };
const doneStatuses = ['done', 'completed'];
const openStatuses = ['pending', 'todo'];

type Members = Record<string, unknown>;
type Item = ReturnType<SourceObject['takeItems']>[number];

/** @throws DomainError invalid `invalid_prd` when the file has no list of tasks */
export function importTaskmaster(file: ImportFile): ImportedPrd {
  const log = new ImportLog();
  const source = SourceObject.of(readSource(file));
  const list = source === undefined ? undefined : takeList(source, log);
  if (source === undefined || list === undefined)
    throw notImportable(`${file.name} is not a tasks.json: it has no list of tasks.`);
  const metadata = SourceObject.of(
    list.tagged.take('metadata') ?? source.take('metadata'),
    list.tagged.pathOf('metadata'),
  );
  const project = metadata?.takeText('projectName') ?? list.tag ?? 'Imported tasks';
  const description = metadata?.takeText('description') ?? `The tasks of ${file.name}.`;
  const tasks = list.tagged.takeItems('tasks');
  const stories = mapTasks(tasks, log);
  list.tagged.dropRest(log);
  source.dropRest(log);
  return log.complete({
    project,
    branchName: slugOf(project, 'imported-tasks'),
    description,
    metadata: metadata === undefined ? {} : Object.fromEntries(metadata.keys().map((key) => [key, metadata.peek(key)])),
    userStories: stories,
  });
}

/** The list that is imported: the flat one, that of the tag master, or that of the first tag. */
function takeList(
  source: SourceObject,
  log: ImportLog,
): { readonly tagged: SourceObject; readonly tag: string | undefined } | undefined {
  if (Array.isArray(source.peek('tasks'))) return { tagged: source, tag: undefined };
  const tags = source.keys().filter((key) => Array.isArray(SourceObject.of(source.peek(key))?.peek('tasks')));
  const tag = tags.includes('master') ? 'master' : tags[0];
  if (tag === undefined) return undefined;
  const others = tags.filter((name) => name !== tag);
  if (others.length > 0) log.warn('other_tags', others.join(', '), `Only the tasks of the tag ${tag} are imported.`);
  const tagged = SourceObject.of(source.take(tag), tag);
  return tagged === undefined ? undefined : { tagged, tag: tag === 'master' ? undefined : tag };
}

function mapTasks(items: readonly Item[], log: ImportLog): Members[] {
  const tasks = items.flatMap(({ value, path }) => {
    const task = SourceObject.of(value, path);
    if (task !== undefined && task.peek('status') !== 'cancelled') return [task];
    log.drop(path, value);
    return [];
  });
  const ids = new Map(tasks.map((task) => [String(task.peek('id')), storyId(String(task.peek('id')))]));
  return tasks.map((task) => mapTask(task, ids, log));
}

function mapTask(task: SourceObject, ids: ReadonlyMap<string, string>, log: ImportLog): Members {
  const taskId = task.takeText('id') ?? '';
  const id = storyId(taskId);
  if (id !== `TM-${taskId}`) log.warn('id_changed', task.pathOf('id'), `The task ${taskId} became the story ${id}.`);
  const title = task.takeText('title') ?? `Task ${taskId}`;
  const testStrategy = task.takeText('testStrategy');
  const { criteria, notes } = mapSubtasks(task, taskId, log);
  const story: Members = {
    id,
    title,
    description: joinParagraphs(task.takeText('description') ?? title, task.takeText('details')),
    acceptanceCriteria: [...criteria, ...(testStrategy === undefined ? [] : [testStrategy])],
    priority: takePriority(task),
    dependsOn: takeDependencies(task, taskId, ids, log),
    passes: takeStatus(task, log),
    notes: notes.length === 0 ? null : `Done before the import:\n${notes.join('\n')}`,
  };
  task.dropRest(log);
  return story;
}

/** Each subtask is a criterion; one that is done is a note as well. */
function mapSubtasks(task: SourceObject, taskId: string, log: ImportLog): { criteria: string[]; notes: string[] } {
  const criteria: string[] = [];
  const notes: string[] = [];
  for (const { value, path } of task.takeItems('subtasks')) {
    const subtask = SourceObject.of(value, path);
    if (subtask === undefined) {
      log.drop(path, value);
      continue;
    }
    const number = `${taskId}.${subtask.takeText('id') ?? ''}`;
    const parts = ['title', 'description', 'details', 'testStrategy'].map((name) => subtask.takeText(name));
    const text = `${number} ${parts.filter((part) => part !== undefined).join(': ')}`;
    criteria.push(text);
    if (takeStatus(subtask, log)) notes.push(text);
    subtask.dropRest(log);
  }
  return { criteria, notes };
}

function takePriority(task: SourceObject): number | null {
  const priority = priorities[String(task.peek('priority'))];
  if (priority === undefined) return null;
  task.take('priority');
  return priority;
}

/** Whether it is done. A status that is neither done nor open is named in a warning. */
function takeStatus(task: SourceObject, log: ImportLog): boolean {
  const status = task.takeText('status') ?? 'pending';
  if (!doneStatuses.includes(status) && !openStatuses.includes(status))
    log.warn('status_not_kept', task.pathOf('status'), `The status ${status} became "not passed".`);
  return doneStatuses.includes(status);
}

/** A dependency on a subtask is one on its task. One on a task that is not there is dropped. */
function takeDependencies(
  task: SourceObject,
  taskId: string,
  ids: ReadonlyMap<string, string>,
  log: ImportLog,
): readonly string[] | null {
  if (!Array.isArray(task.peek('dependencies'))) return null;
  const found = task.takeItems('dependencies').flatMap(({ value, path }) => {
    const name = String(value);
    const parent = name.split('.')[0] ?? '';
    const id = ids.get(name) ?? ids.get(parent);
    if (id !== undefined && name !== parent && parent === taskId) return [];
    if (id !== undefined) return [id];
    log.drop(path, value);
    log.warn('unknown_dependency', path, `There is no task ${name.slice(0, 100)}: the dependency was dropped.`);
    return [];
  });
  return [...new Set(found)];
}

function storyId(taskId: string): string {
  const safe = taskId.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/\.{2,}/g, '.');
  return `TM-${safe.slice(0, 60).replace(/(?:\.lock|\.)+$/, '')}`;
}
