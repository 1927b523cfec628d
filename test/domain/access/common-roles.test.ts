// The common roles of two sets never exceed either set.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commonRoles } from '../../../src/domain/access/identity/stored-credentials.ts';
import { permissionsOf, roles } from '../../../src/domain/model/access/permission.ts';

it.each([
  [['admin'], ['viewer'], ['viewer']],
  [['viewer'], ['admin'], ['viewer']],
  [
    ['operator', 'agent'],
    ['agent', 'operator'],
    ['agent', 'operator'],
  ],
  [['editor'], [], []],
  [['operator'], ['agent'], ['agent']],
] as const)('%j and %j: %j', (a, b, both) => {
  expect(commonRoles([...a], [...b])).toEqual([...both]);
});

it('of any two sets have only permissions of both, and of a set with itself all of its own', () => {
  const some = fc.subarray([...roles]);
  fc.assert(
    fc.property(some, some, (a, b) => {
      const both = permissionsOf(commonRoles(a, b));
      expect(both.difference(permissionsOf(a))).toEqual(new Set());
      expect(both.difference(permissionsOf(b))).toEqual(new Set());
      expect(permissionsOf(commonRoles(a, a))).toEqual(permissionsOf(a));
    }),
  );
});
