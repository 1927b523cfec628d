// A rendered PRD is read again as the same PRD, by us and by tools that read YAML 1.1 or ralph's JSON.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { requirePrd } from '../../../src/domain/prd/parse-prd.ts';
import { renderPrdJson, renderPrdYaml, toPrdDocument } from '../../../src/domain/prd/render.ts';
import { prdDocumentOf, someDocument, smallestStory } from '../../support/builders/prd.ts';

describe('a rendered PRD', () => {
  it('is read as the same PRD, from YAML and from JSON', () => {
    fc.assert(
      fc.property(someDocument, (document) => {
        const prd = requirePrd(document);
        expect(requirePrd(renderPrdYaml(prd))).toEqual(prd);
        expect(requirePrd(renderPrdJson(prd))).toEqual(prd);
      }),
      { numRuns: 100 },
    );
  });

  it('has what ralph reads in each story', () => {
    expect(toPrdDocument(requirePrd(prdDocumentOf())).userStories).toEqual([
      { ...smallestStory(), passes: false, notes: '' },
    ]);
  });

  it('keeps texts apart from the booleans of YAML 1.1, and the first line of a text in its place', () => {
    const document = prdDocumentOf({
      project: 'yes',
      description: '  indented\nsecond: line\n',
      nonGoals: ['on', '012', '~', '- x'],
    });
    const prd = requirePrd(document);
    expect(parse(renderPrdYaml(prd), { version: '1.1' })).toMatchObject({
      project: 'yes',
      description: '  indented\nsecond: line\n',
      nonGoals: ['on', '012', '~', '- x'],
    });
  });
});
