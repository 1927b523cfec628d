// Edits of a PRD document by operations.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDocument } from '../../../../../src/domain/prd/chat/turn/edit-document.ts';
import type { PrdDocument } from '../../../../../src/domain/model/prd/prd-session.ts';

const story = (id: string): Record<string, unknown> => ({ id, title: `title of ${id}`, acceptanceCriteria: ['a'] });
const document: PrdDocument = {
  project: 'P',
  branchName: 'b',
  description: 'd',
  userStories: [story('US-1'), story('US-2'), story('US-3')],
};

describe('an edit of a document', () => {
  it('leaves what it does not name byte for byte as it was [runs-13.7]', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom('US-1', 'US-2', 'US-3'), (fields, id) => {
        const edited = editDocument(document, [{ op: 'upsert_story', story: { ...fields, id } }]);
        if (!('document' in edited)) throw new Error('it is rejected');
        const others = (of: PrdDocument): string =>
          JSON.stringify((of['userStories'] as Record<string, unknown>[]).filter((each) => each['id'] !== id));
        expect(others(edited.document)).toBe(others(document));
        expect(edited.changes).toEqual([`changed ${id}`]);
      }),
    );
  });

  it('adds, removes and orders stories, and sets fields', () => {
    expect(
      editDocument(document, [
        { op: 'upsert_story', story: story('US-4') },
        { op: 'remove_story', id: 'US-2' },
        { op: 'order', ids: ['US-4', 'US-1', 'US-3'] },
        { op: 'set', field: 'project', value: 'Q' },
      ]),
    ).toEqual({
      document: { ...document, project: 'Q', userStories: [story('US-4'), story('US-1'), story('US-3')] },
      changes: ['added US-4', 'removed US-2', 'ordered US-4, US-1, US-3', 'set project'],
    });
  });

  it.each([
    [{ op: 'set' as const, field: 'userStories', value: [] }],
    [{ op: 'set' as const, field: '__proto__', value: {} }],
    [{ op: 'upsert_story' as const, story: { title: 'no id' } }],
    [{ op: 'remove_story' as const, id: 'US-9' }],
    [{ op: 'order' as const, ids: ['US-1', 'US-2'] }],
    [{ op: 'order' as const, ids: ['US-1', 'US-2', 'US-2'] }],
    [{ op: 'order' as const, ids: ['US-1', 'US-2', 'US-9'] }],
  ])('that is invalid changes nothing: %j [runs-13.8]', (operation) => {
    const edited = editDocument(document, [{ op: 'set', field: 'project', value: 'Q' }, operation]);
    expect(edited).toMatchObject({ errors: [{ code: 'invalid_operation', path: 'ops.1' }] });
  });

  it('begins with an empty document', () => {
    expect(editDocument(null, [{ op: 'set', field: 'project', value: 'P' }])).toMatchObject({
      document: { project: 'P', branchName: '', description: '', userStories: [] },
    });
  });
});
