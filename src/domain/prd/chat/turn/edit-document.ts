// Applies operations to a PRD document. What no operation names stays byte for byte as it was. runs-13.
import { unreachable } from '../../../../lib/net/unreachable.ts';
import type { PrdDocument, PrdOperation } from '../../../model/prd/prd-session.ts';
import type { PrdFinding } from '../../../model/prd/prd.ts';
import { renameMembers } from '../../document/member-spelling.ts';

export type EditedDocument =
  { readonly document: PrdDocument; readonly changes: readonly string[] } | { readonly errors: readonly PrdFinding[] };

/** Fields that `set` may name. runs-18. */
const settable = new Set([
  'project',
  'branchName',
  'description',
  'gates',
  'setup',
  'copy',
  'protect',
  'nonGoals',
  'openQuestions',
  'metadata',
]);

/** The document before the first draft. */
const emptyDocument: PrdDocument = { project: '', branchName: '', description: '', userStories: [] };

type Story = Readonly<Record<string, unknown>>;

/**
 * @param document null: there is no draft yet
 * @returns the new document and one sentence for each change; or the errors of all operations, and nothing is changed
 */
export function editDocument(document: PrdDocument | null, operations: readonly PrdOperation[]): EditedDocument {
  let current = document ?? emptyDocument;
  const changes: string[] = [];
  const errors: PrdFinding[] = [];
  for (const [index, operation] of operations.entries()) {
    const edited = apply(current, operation);
    if (typeof edited === 'string') {
      errors.push({ code: 'invalid_operation', path: `ops.${index}`, message: edited });
    } else {
      current = edited.document;
      changes.push(edited.change);
    }
  }
  return errors.length > 0 ? { errors } : { document: current, changes };
}

interface Edit {
  readonly document: PrdDocument;
  readonly change: string;
}

/** @returns a text where the operation is invalid */
function apply(document: PrdDocument, operation: PrdOperation): Edit | string {
  switch (operation.op) {
    case 'set':
      return setField(document, operation.field, operation.value);
    case 'upsert_story':
      return upsertStory(document, operation.story);
    case 'remove_story':
      return removeStory(document, operation.id);
    case 'order':
      return orderStories(document, operation.ids);
    default:
      return unreachable(operation);
  }
}

function setField(document: PrdDocument, field: string, value: unknown): Edit | string {
  if (!settable.has(field)) return `set cannot change ${field}. It takes ${[...settable].join(', ')}.`;
  return { document: { ...document, [field]: value }, change: `set ${field}` };
}

function upsertStory(document: PrdDocument, given: Story): Edit | string {
  const story = renameMembers(given);
  const id = story['id'];
  if (typeof id !== 'string' || id === '') return 'upsert_story needs a story with an id.';
  const stories = storiesOf(document);
  const index = stories.findIndex((each) => each['id'] === id);
  const userStories = index < 0 ? [...stories, story] : stories.with(index, story);
  return { document: { ...document, userStories }, change: `${index < 0 ? 'added' : 'changed'} ${id}` };
}

function removeStory(document: PrdDocument, id: string): Edit | string {
  const stories = storiesOf(document);
  const userStories = stories.filter((each) => each['id'] !== id);
  if (userStories.length === stories.length) return `remove_story names ${id}, which is no story of the document.`;
  return { document: { ...document, userStories }, change: `removed ${id}` };
}

function orderStories(document: PrdDocument, ids: readonly string[]): Edit | string {
  const stories = storiesOf(document);
  const byId = new Map(stories.map((story) => [story['id'], story]));
  const userStories = ids.flatMap((id) => byId.get(id) ?? []);
  if (new Set(ids).size !== ids.length || ids.length !== stories.length || userStories.length !== ids.length) {
    return 'order has to name every story once.';
  }
  return { document: { ...document, userStories }, change: `ordered ${ids.join(', ')}` };
}

function storiesOf(document: PrdDocument): readonly Story[] {
  const stories = document['userStories'];
  return Array.isArray(stories)
    ? stories.filter((each): each is Story => typeof each === 'object' && each !== null)
    : [];
}
