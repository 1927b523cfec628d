// Documents of the five formats, in the shape that their tools write, and what becomes of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectFormat, importFormats, importPrd } from '../../../../src/domain/prd/import/import-prd.ts';
import { requirePrd } from '../../../../src/domain/prd/parse-prd.ts';
import { toPrdDocument } from '../../../../src/domain/prd/render.ts';

const golden = join(import.meta.dirname, 'golden');
const formats = importFormats.filter((format) => format !== 'auto');

function filesOf(format: string): { name: string; content: string }[] {
  return readdirSync(join(golden, format))
    .filter((name) => name !== 'expected.json')
    .map((name) => ({ name, content: readFileSync(join(golden, format, name), 'utf8') }));
}

const file = (name: string, content: unknown) => ({
  name,
  content: typeof content === 'string' ? content : JSON.stringify(content),
});

describe('an import', () => {
  it.each(formats)('of %s gives the golden result, named and detected [runs-13.11]', (format) => {
    const files = filesOf(format);
    const { prd, warnings, dropped } = importPrd(format, files);
    const expected: unknown = JSON.parse(readFileSync(join(golden, format, 'expected.json'), 'utf8'));
    expect({ prd: toPrdDocument(prd), warnings, dropped }).toEqual(expected);
    expect(detectFormat(files)).toBe(format);
    expect(importPrd('auto', files)).toEqual({ prd, warnings, dropped });
    expect(requirePrd(toPrdDocument(prd))).toEqual(prd);
  });

  it('takes a flat tasks.json, and ids that are texts', () => {
    const tasks = [
      { id: 'api/1', title: 'A', description: 'a', status: 'pending', testStrategy: 'x' },
      { id: '2', title: 'B', description: 'b', dependencies: ['api/1'], testStrategy: 'y' },
    ];
    const { prd, warnings } = importPrd('taskmaster', [file('tasks.json', { tasks })]);
    expect(prd.userStories.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ['TM-api-1', null],
      ['TM-2', ['TM-api-1']],
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(['id_changed']);
  });

  it('takes a tasks.json that is larger than a PRD, and says why one cannot be read', () => {
    const task = { id: 1, title: 'A', description: 'a', testStrategy: 'x' };
    const tags = { master: { tasks: [task] }, other: { tasks: [{ ...task, details: 'x'.repeat(2_000_000) }] } };
    const { prd, warnings } = importPrd('auto', [file('tasks.json', tags)]);
    expect(prd.userStories).toHaveLength(1);
    expect(warnings).toMatchObject([{ code: 'other_tags' }]);
    expect(() => importPrd('auto', [file('tasks.json', '{"tasks": [')])).toThrow(/^tasks\.json cannot be read: /);
    expect(() => importPrd('auto', [file('tasks.json', `{"a": "${'x'.repeat(2_000_000)}`)])).toThrow(
      'JSON is not valid',
    );
  });

  it('warns of a cycle among tasks', () => {
    const tasks = [
      { id: 1, title: 'A', description: 'a', dependencies: [2], testStrategy: 'x' },
      { id: 2, title: 'B', description: 'b', dependencies: [1], testStrategy: 'y' },
    ];
    const { warnings } = importPrd('auto', [file('tasks.json', { tasks })]);
    expect(warnings).toMatchObject([
      { code: 'dependency_cycle', message: expect.stringContaining('TM-1 → TM-2 → TM-1') },
    ]);
  });

  it('takes a document that ralph-tui calls wrapped', () => {
    const { prd } = importPrd('auto', [
      file('prd.json', { prd: { name: 'P', userStories: [{ id: 'A', title: 't', acceptanceCriteria: ['x'] }] } }),
    ]);
    expect(prd).toMatchObject({ project: 'P', branchName: 'p', userStories: [{ id: 'A' }] });
  });

  it('takes YAML of our own form, with both spellings', () => {
    const yaml =
      'project: P\nbranch_name: p\ndescription: d\nuser_stories:\n- {id: A, title: t, description: d, acceptance_criteria: [x]}\n';
    expect(importPrd('auto', [file('prd.yaml', yaml)]).prd.userStories[0]?.acceptanceCriteria).toEqual(['x']);
  });

  it('does not read a heading within fenced code or a comment as a story', () => {
    const text =
      '# X\n\n```\n### US-009: not a story\n```\n<!--\n### US-008: neither\n-->\n### US-001: a story\n- [ ] x\n';
    expect(importPrd('markdown', [file('prd.md', text)]).prd.userStories.map(({ id }) => id)).toEqual(['US-001']);
  });

  it.each([
    ['free text', 'auto', [file('idea.md', 'We need a login page.')]],
    ['no file', 'auto', []],
    ['JSON of something else', 'auto', [file('package.json', { name: 'x', version: '1' })]],
    ['a tasks.json named as ralph', 'ralph', [file('tasks.json', { tasks: [] })]],
    ['Markdown named as taskmaster', 'taskmaster', [file('prd.md', '### US-001: x')]],
    ['a list named as ralph-tui', 'ralph-tui', [file('prd.json', [])]],
    ['Markdown without stories named as markdown', 'markdown', [file('a.md', '# x')]],
    ['Markdown without requirements named as kiro', 'kiro', [file('a.md', '# x')]],
    ['Markdown without tasks named as speckit', 'speckit', [file('tasks.md', '# x')]],
    ['a YAML bomb', 'ralph', [file('prd.yaml', 'userStories: &a [*a]')]],
    ['a tag', 'taskmaster', [file('tasks.yaml', 'tasks: !!js/function x')]],
    ['a NUL', 'markdown', [file('prd.md', '### US-001: a\0b')]],
    [
      '101 stories',
      'markdown',
      [file('prd.md', Array.from({ length: 101 }, (_, i) => `### US-${i}: s\n- [ ] x`).join('\n'))],
    ],
    ['21 files', 'auto', Array.from({ length: 21 }, () => file('a.md', '### US-001: x\n- [ ] y'))],
  ] as const)('is refused: %s', (_, format, files) => {
    expect(() => importPrd(format, files)).toThrow(expect.objectContaining({ kind: 'invalid', code: 'invalid_prd' }));
  });

  it.each([
    ['spaces', `${' '.repeat(500_000)}x`],
    ['unclosed boxes', '- [ '.repeat(200_000)],
    ['bold marks', '**'.repeat(300_000)],
    ['a heading of spaces', `### US-001: ${' '.repeat(300_000)}#x`],
    ['open brackets', '[NEEDS CLARIFICATION'.repeat(40_000)],
    ['backticks', '`'.repeat(500_000)],
    ['a priority without end', `### User Story 1 - ${'(Priority: '.repeat(60_000)}`],
    ['list items', '- x\n'.repeat(100_000)],
    ['labels', '**Goal**: x\n'.repeat(60_000)],
    ['line breaks', '\n'.repeat(900_000)],
    ['headings', '### Requirement 1: x\n'.repeat(40_000)],
    ['one command as many gates', `## Quality Gates\n${'- `x`\n'.repeat(90_000)}`],
    ['titles of spaces', `# Feature Specification: x\n${`### User Story 1 x${' '.repeat(470)}y\n`.repeat(1_900)}`],
  ])('ends for hostile Markdown: %s', (_, text) => {
    for (const format of ['auto', 'markdown', 'speckit', 'kiro'] as const) {
      const content = `# T\n\n## Phase 1: x\n\n- [ ] T001 x\n\n### Requirement 1: x\n\n### US-001: x\n\n${text}\n`;
      try {
        importPrd(format, [file('tasks.md', content)]);
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_prd' });
      }
    }
  });
});
