// The contract keeps itself: ids are unique, citations are real, and what is owed now has a test.
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { requirement, requirementList } from './requirements.ts';
import { citationsIn, citationsOf } from './citations.ts';

const citations = await citationsOf(path.resolve(import.meta.dirname, '../..'));

/** One a line, for a comparison with nothing: its diff is then the list of what to do. */
function lines(of: readonly string[]): string {
  return of.join('\n');
}

describe('the requirements', () => {
  it('have unique ids', () => {
    const seen = new Set<string>();
    const repeated = requirementList.filter(({ id }) => seen.size === seen.add(id).size).map(({ id }) => id);
    expect(lines(repeated)).toBe('');
  });

  it('are plain text under an id that names their source', () => {
    const odd = requirementList.filter(({ id, source, text }) => {
      const [, document, section] =
        /^(core|tools|choices|runs|ui|platform|marketing|teams)-(\d+)(?:\.\d+)+$/.exec(id) ?? [];
      const inSection = section === '0' || RegExp(`${document}-${section}(\\D|$)`).test(source);
      return document === undefined || !source.startsWith(document) || !inSection || !/^[ -~]+$/.test(text);
    });
    expect(lines(odd.map(({ id, source, text }) => `${id} (${source}) ${text}`))).toBe('');
  });

  it('are found by their id', () => {
    expect(requirement('core-5.1')).toMatchObject({ source: 'core-5.1', phase: 'foundation' });
    expect(requirement('core-99.1')).toBeUndefined();
  });

  it('exist wherever a test cites one', () => {
    const known = new Set(requirementList.map(({ id }) => id));
    const unknown = citations.filter(({ id }) => !known.has(id)).map(({ id, location }) => `${location}  ${id}`);
    expect(lines(unknown)).toBe('');
  });

  it('are each cited by a test when their phase is delivered', () => {
    const delivered = new Set([
      'foundation',
      'access',
      'a2a',
      'automation',
      'tool-protocol',
      'remote-workers',
      'runs',
      'backup',
      'cluster',
      'schedules',
      'objectives',
    ]);
    const cited = new Set(citations.map(({ id }) => id));
    const missing = requirementList.filter(({ id, phase }) => delivered.has(phase) && !cited.has(id));
    expect(lines(missing.map(({ id, text }) => `${id.padEnd(15)} ${text}`))).toBe('');
  });
});

describe('a citation', () => {
  it('is one or several ids in brackets, with its line', () => {
    const text = "it('a [core-5.1]')\n// [core-5.1, tools-7.1 choices-2.3]\n";
    expect(citationsIn(text, 'a.test.ts')).toEqual([
      { id: 'core-5.1', location: 'a.test.ts:1' },
      { id: 'core-5.1', location: 'a.test.ts:2' },
      { id: 'tools-7.1', location: 'a.test.ts:2' },
      { id: 'choices-2.3', location: 'a.test.ts:2' },
    ]);
  });

  it('is seen when it is misspelt, so that it can be refused', () => {
    expect(citationsIn('// [cor-5.1]', 'a.test.ts')).toEqual([{ id: 'cor-5.1', location: 'a.test.ts:1' }]);
  });

  it('is not any other pair of brackets', () => {
    expect(citationsIn("[utf-8] [a-z0-9] list[core-1] ['core-5.1'] [core]", 'a.test.ts')).toEqual([]);
  });
});
