// Ids of entities as callers write them.
import { expect, it } from 'vitest';
import { parseEntityId } from '../../../src/http/pipeline/entity-id.ts';

const uuid = '019ac5a0-0000-7000-8000-000000000001';

it.each(['task', 'worker', 'codebase'] as const)('a well-formed id of a %s is taken as it is', (kind) => {
  expect(parseEntityId(kind, uuid)).toBe(uuid);
});

it('the global codebase is an id too, of a codebase alone', () => {
  expect(parseEntityId('codebase', 'global')).toBe('global');
  expect(() => parseEntityId('task', 'global')).toThrow('There is no such task.');
});

it.each(['task', 'worker', 'codebase'] as const)('a malformed id of a %s is missing, like an unknown one', (kind) => {
  const error = { kind: 'not_found', code: `${kind}_not_found` };
  expect(() => parseEntityId(kind, 'no id/at all')).toThrow(expect.objectContaining(error));
});
