// Findings of lint in a PRD, each with its code and place.
import { describe, expect, it } from 'vitest';
import { lintPrd } from '../../../src/domain/prd/lint.ts';
import { requirePrd } from '../../../src/domain/prd/parse-prd.ts';
import { prdDocumentOf, smallestStory } from '../../support/builders/prd.ts';

const gates = [{ id: 'test', command: 'npm test' }];

function errorsOf(document: Record<string, unknown>): string[] {
  return lintPrd(requirePrd({ gates, ...document })).errors.map(({ code, path }) => `${code} ${path}`);
}

function warningsOf(document: Record<string, unknown>): string[] {
  return lintPrd(requirePrd({ gates, ...document })).warnings.map(({ code, path }) => `${code} ${path}`);
}

const story = (members: Record<string, unknown>) => prdDocumentOf({ userStories: [smallestStory(members)] });

describe('errors of lint', () => {
  it('are absent from a good document, and so are warnings', () => {
    expect([...errorsOf(prdDocumentOf()), ...warningsOf(prdDocumentOf())]).toEqual([]);
  });

  it('name doubled ids, unknown dependencies, cycles, missing criteria and a bad branch name [runs-13.3]', () => {
    const userStories = [
      smallestStory({ id: 'A', dependsOn: ['B', 'X'] }),
      smallestStory({ id: 'B', dependsOn: ['A'], acceptanceCriteria: [] }),
      smallestStory({ id: 'B' }),
    ];
    expect(errorsOf(prdDocumentOf({ branchName: 'a b', userStories: userStories.slice(0, 2) }))).toEqual([
      'bad_branch_name branchName',
      'unknown_dependency userStories.0.dependsOn.1',
      'dependency_cycle userStories.0.dependsOn',
      'empty_criteria userStories.1.acceptanceCriteria',
    ]);
    expect(errorsOf(prdDocumentOf({ userStories }))).toContain('duplicate_id userStories.2.id');
  });

  it('name a story that depends on itself', () => {
    expect(errorsOf(story({ dependsOn: ['US-001'] }))).toEqual(['dependency_cycle userStories.0.dependsOn']);
  });
});

describe('warnings of lint', () => {
  it.each([
    [
      'vague_criterion',
      { acceptanceCriteria: ['`npm test` passes', 'The form SHALL work properly'] },
      '.acceptanceCriteria.1',
    ],
    ['no_command_criterion', { acceptanceCriteria: ['THE SYSTEM SHALL greet'] }, ''],
    ['story_too_large', { acceptanceCriteria: Array.from({ length: 9 }, (_, i) => `\`test ${i}\` passes`) }, ''],
    ['story_too_large', { description: 'x'.repeat(1501) }, ''],
    ['passed_by_import', { passes: true }, '.passes'],
    ['ui_without_check', { title: 'Show a badge on each card', acceptanceCriteria: ['Tests pass'] }, ''],
    ['not_ears', { acceptanceCriteria: ['Tests pass', 'A greeting is printed'] }, '.acceptanceCriteria.1'],
  ])('%s', (code, members, path) => {
    expect(warningsOf(story(members))).toContain(`${code} userStories.0${path}`);
  });

  it('do not call a criterion vague that a command shows', () => {
    expect(warningsOf(story({ acceptanceCriteria: ['`make good` succeeds'] }))).toEqual([]);
    expect(warningsOf(story({ acceptanceCriteria: ['Works'], checks: [{ criterion: 0, command: 'true' }] }))).toEqual(
      [],
    );
  });

  it('do not ask for a command where a check shows the story as a whole', () => {
    const members = { acceptanceCriteria: ['THE SYSTEM SHALL greet'], checks: [{ command: 'make check' }] };
    expect(warningsOf(story(members))).toEqual([]);
  });

  it('name missing gates, declared and undeclared [runs-13.3]', () => {
    expect(warningsOf({ ...prdDocumentOf(), gates: [] })).toEqual(['no_gates gates']);
    expect(warningsOf({ ...prdDocumentOf(), gates: null })).toEqual(['no_gates gates']);
  });

  it('name a dependency that comes later by priority [runs-13.3]', () => {
    const userStories = [
      smallestStory({ id: 'A', priority: 2 }),
      smallestStory({ id: 'B', priority: 1, dependsOn: ['A'] }),
    ];
    expect(warningsOf(prdDocumentOf({ userStories }))).toEqual(['depends_on_later userStories.1.dependsOn.0']);
  });

  it('say once for each story that criteria lack the form of EARS', () => {
    const acceptanceCriteria = ['Tests pass', 'a greeting', 'a farewell'];
    expect(warningsOf(story({ acceptanceCriteria }))).toEqual(['not_ears userStories.0.acceptanceCriteria.1']);
  });
});
