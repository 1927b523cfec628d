// The published shapes of a PRD and the reader of the domain come to one verdict.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { prdArguments, prdDocument, prdImportRequest } from '../../src/contracts/prd.ts';
import { importFormats } from '../../src/domain/prd/import/import-prd.ts';
import { parsePrd, requirePrd } from '../../src/domain/prd/parse-prd.ts';
import { toPrdDocument } from '../../src/domain/prd/render.ts';
import { jsonSchema } from '../../src/http/pipeline/schema.ts';
import { inSnakeCase, prdDocumentOf, someDocument, storyDocument } from '../support/builders/prd.ts';

const snakeDocument = z.strictObject(prdArguments);
const ajv = new Ajv2020({ strict: false });
const published = ajv.compile(jsonSchema(prdDocument));
const publishedSnake = ajv.compile(jsonSchema(snakeDocument));

/** Whether zod, JSON Schema in both spellings, and the domain accept a document. */
function verdicts(document: unknown): boolean[] {
  return [
    prdDocument.safeParse(document).success,
    published(document),
    snakeDocument.safeParse(inSnakeCase(document)).success,
    publishedSnake(inSnakeCase(document)),
    'prd' in parsePrd(document),
  ];
}

const story = (members: Record<string, unknown>) => prdDocumentOf({ userStories: [storyDocument(members)] });

describe('the wire shape of a PRD', () => {
  it('accepts what the domain reads, and what it renders', () => {
    fc.assert(
      fc.property(someDocument, (document) => {
        expect(verdicts(document)).toEqual([true, true, true, true, true]);
        expect(verdicts(toPrdDocument(requirePrd(document)))).toEqual([true, true, true, true, true]);
      }),
      { numRuns: 50 },
    );
  });

  it.each<[string, unknown]>([
    ['a blank text', prdDocumentOf({ project: ' ' })],
    ['a NUL', prdDocumentOf({ project: 'a\0' })],
    ['an unknown member', prdDocumentOf({ other: 1 })],
    ['an unknown member of a story', story({ estimate: 1 })],
    ['no stories', prdDocumentOf({ userStories: [] })],
    [
      '101 stories',
      prdDocumentOf({ userStories: Array.from({ length: 101 }, (_, i) => storyDocument({ id: `S${i}` })) }),
    ],
    ['51 criteria', story({ acceptanceCriteria: Array.from({ length: 51 }, () => 'x') })],
    ['an id with two dots', story({ id: 'a..b' })],
    ['an id that ends in a dot', story({ id: 'a.' })],
    ['an id that ends in .lock', story({ id: 'a.lock' })],
    ['a long id', story({ id: 'x'.repeat(65) })],
    ['an absolute path', prdDocumentOf({ copy: ['/a'] })],
    ['a path with ..', prdDocumentOf({ copy: ['a/../b'] })],
    ['a path that ends in ..', prdDocumentOf({ copy: ['a/..'] })],
    ['a path with .. after a line break', prdDocumentOf({ copy: ['a\nb/../c'] })],
    ['a gate without a command', prdDocumentOf({ gates: [{ id: 'a' }] })],
    ['a limit of 0 seconds', prdDocumentOf({ gates: [{ id: 'a', command: 'b', timeoutSeconds: 0 }] })],
    ['a priority that is a word', story({ priority: 'high' })],
  ])('refuses what the domain refuses: %s', (_, document) => {
    expect(verdicts(document)).toEqual([false, false, false, false, false]);
  });

  it('names the formats that can be imported', () => {
    expect(prdImportRequest.shape.format.unwrap().options).toEqual([...importFormats]);
  });
});
