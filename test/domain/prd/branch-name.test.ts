// Names of branches, compared with the git that will take them.
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchNameFault, isBranchPrefix, withBranchPrefix } from '../../../src/domain/prd/branch-name.ts';

/** Git's verdict. A name that begins with "-" is an option for git, and git expands "@" to the branch that is checked out. */
function gitAccepts(name: string): boolean {
  return (
    !name.startsWith('-') &&
    name !== '@' &&
    spawnSync('git', ['check-ref-format', '--branch', name], { stdio: 'ignore' }).status === 0
  );
}

describe('a branch name', () => {
  it.each(['ralph/login', 'feature_1', 'ä/ö', 'a.b', 'v1.0-rc', 'a@b', 'ralph/日本'])('is accepted: %s', (name) => {
    expect(branchNameFault(name)).toBeUndefined();
    expect(gitAccepts(name)).toBe(true);
  });

  it.each([
    '',
    '-',
    '-b',
    '--upload-pack=/bin/sh',
    'a b',
    'a..b',
    'a/../b',
    '.a',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'a.',
    '/a',
    'a/',
    'a//b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    '@',
    'a@{1}',
    '@{-1}',
    'a\nb',
    'a\tb',
    'a\0b',
    'a\u007f',
    '\ud800',
    'HEAD',
    'x'.repeat(201),
    `ralph/${'ä'.repeat(130)}`,
  ])('is refused: %j', (name) => {
    expect(branchNameFault(name)).toEqual(expect.any(String));
  });

  it('that is accepted is one that git accepts', () => {
    const piece = fc.constantFrom(...Array.from('ab/.-@{}~^:?*[]\\ _ä'), '.lock', '..', '//', '@{', 'HEAD');
    const name = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(name, (text) => {
        expect({ text, accepted: branchNameFault(text) === undefined }).toEqual({
          text,
          accepted: gitAccepts(text),
        });
      }),
      { numRuns: 150 },
    );
  });
});

describe('the prefix', () => {
  it('is put before a name once', () => {
    expect(withBranchPrefix('login', 'ralph/')).toBe('ralph/login');
    expect(withBranchPrefix('ralph/login', 'ralph/')).toBe('ralph/login');
  });

  it.each([
    ['ralph/', true],
    ['bot-', true],
    ['', true],
    ['a b/', false],
    ['-a', false],
    ['/a', false],
    ['a//', false],
    ['a..', false],
  ])('%j can begin a name: %s', (prefix, can) => {
    expect(isBranchPrefix(prefix)).toBe(can);
  });
});
