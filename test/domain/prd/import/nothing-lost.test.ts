// Every word of an imported file is in the PRD, in a warning, or among what was dropped.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importPrd, type ImportFormat } from '../../../../src/domain/prd/import/import-prd.ts';

/** A word that stands nowhere else. */
const word = fc.uuid().map((id) => `w${id.replaceAll('-', '')}`);
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((list) => list.join(' '));
const paragraph = fc.array(words, { maxLength: 2 }).map((list) => list.join('\n'));
const box = fc.constantFrom('[ ]', '[x]', '[X]');
const bullets = fc.array(words, { maxLength: 3 }).map((list) => list.map((text) => `- ${text}`).join('\n'));

/** Members under names that no format knows, at any depth. */
const extra = fc.dictionary(
  word,
  fc.oneof(words, fc.array(words, { minLength: 1, maxLength: 2 }), fc.record({ deep: words })),
  { maxKeys: 2 },
);

/** The words of the files that the import neither keeps nor names. */
function lostBy(format: ImportFormat, files: { name: string; content: string }[]): string[] {
  const given = files.flatMap(({ content }) => content.match(/w[0-9a-f]{32}/g) ?? []);
  const kept = JSON.stringify(importPrd(format, files));
  return given.filter((one) => !kept.includes(one));
}

const json = (value: unknown) => [{ name: 'file.json', content: JSON.stringify(value) }];

const ralphStory = fc
  .tuple(
    fc.record({ title: words, acceptanceCriteria: fc.array(words, { maxLength: 3 }) }),
    fc.record(
      {
        description: words,
        notes: words,
        completionNotes: words,
        labels: fc.array(words, { maxLength: 2 }),
        passes: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    extra,
  )
  .map((parts) => Object.assign({}, ...parts));

const subtask = fc
  .tuple(
    fc.record(
      {
        title: words,
        description: words,
        details: words,
        testStrategy: words,
        status: fc.constantFrom('done', 'pending', 'review'),
      },
      { requiredKeys: [] },
    ),
    extra,
  )
  .map((parts) => Object.assign({}, ...parts));

const task = fc
  .tuple(
    fc.record(
      {
        title: words,
        description: words,
        details: words,
        testStrategy: words,
        priority: fc.constantFrom('high', 'low', 'someday'),
        status: fc.oneof(fc.constantFrom('done', 'pending', 'cancelled', 'deferred'), word),
        dependencies: fc.array(fc.oneof(fc.nat(5), fc.constant('2.1'), word), { maxLength: 2 }),
        subtasks: fc.array(fc.oneof(subtask, words), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
    extra,
  )
  .map((parts) => Object.assign({}, ...parts));

/** Sections in any order, of headings that some format knows and of others. */
function markdown(...headings: string[]) {
  const section = fc
    .tuple(
      fc.oneof(
        fc.constantFrom(...headings),
        words.map((text) => `## ${text}`),
        words.map((text) => `### ${text}`),
      ),
      words,
      paragraph,
      bullets,
      fc.array(fc.tuple(box, words), { maxLength: 3 }),
      fc.constantFrom(
        'Goal',
        'Purpose',
        'Checkpoint',
        'Description',
        'Independent Test',
        'Acceptance Criteria',
        'User Story',
        'Why this priority',
        'Notes',
        'Priority',
        'Depends on',
        'Feature Branch',
      ),
      words,
    )
    .map(([heading, title, text, list, boxes, label, labelled]) =>
      [
        heading.replace('%', title),
        text,
        `**${label}**: ${labelled}`,
        '',
        list,
        ...boxes.map(([mark, one], index) => `- ${mark} T00${index + 1} [P] ${one}\n  continued ${one}`),
        '---',
      ].join('\n'),
    );
  return fc.array(section, { minLength: 1, maxLength: 6 }).map((sections) => sections.join('\n\n'));
}

const unique = <T extends object>(items: readonly T[]) => items.map((item, index) => ({ id: index + 1, ...item }));

describe('nothing is lost on import', () => {
  it('of ralph and ralph-tui [runs-13.11]', () => {
    const document = fc.tuple(
      fc.record({ name: words, description: words }),
      extra,
      fc.array(ralphStory, { minLength: 1, maxLength: 3 }),
    );
    fc.assert(
      fc.property(
        document,
        fc.constantFrom('ralph', 'ralph-tui'),
        fc.boolean(),
        ([head, more, stories], format, wrapped) => {
          const userStories = unique(stories).map((story) => ({ ...story, id: `US-${story.id}` }));
          const prd = { ...head, ...more, userStories };
          expect(lostBy(format, json(wrapped && format === 'ralph-tui' ? { prd, ...more } : prd))).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of taskmaster', () => {
    fc.assert(
      fc.property(
        fc.array(task, { minLength: 1, maxLength: 5 }),
        extra,
        extra,
        fc.boolean(),
        (tasks, metadata, other, flat) => {
          const list = { tasks: unique([...tasks, { title: 'last' }]), metadata };
          expect(
            lostBy(
              'taskmaster',
              json(flat ? { ...list, ...other } : { master: list, other: { tasks: [other] }, ...other }),
            ),
          ).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of spec-kit', () => {
    const tasks = markdown(
      '## Phase 1: Setup (%)',
      '## Phase 2: Foundational',
      '## Phase 3: User Story 1 - % (Priority: P1)',
      '### Tests for %',
    );
    const spec = markdown(
      '# Feature Specification: x',
      '### User Story 1 - % (Priority: P2)',
      '### User Story 2 - %',
      '## Requirements',
    );
    fc.assert(
      fc.property(tasks, spec, words, (tasksText, specText, plan) => {
        const files = [
          { name: 'tasks.md', content: `# Tasks: x\n\n## Phase 9: x\n\n- [ ] T099 last\n\n${tasksText}` },
          { name: 'spec.md', content: specText },
          { name: 'plan.md', content: plan },
        ];
        expect(lostBy('speckit', files)).toEqual([]);
        expect(lostBy('speckit', files.slice(0, 1))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('of Kiro [runs-13.11]', () => {
    const text = markdown(
      '## Introduction',
      '## Requirements',
      '### Requirement 2: %',
      '#### Acceptance Criteria',
      '#### %',
    );
    fc.assert(
      fc.property(text, words, (content, design) => {
        expect(
          lostBy('kiro', [
            { name: 'requirements.md', content: `### Requirement 1\n\n1. WHEN x\n\n${content}` },
            { name: 'design.md', content: design },
          ]),
        ).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('of Markdown', () => {
    const text = markdown(
      '# PRD: %',
      '## Quality Gates',
      '## Non-Goals',
      '## Open Questions',
      '### US-002: %',
      '## Overview',
    );
    fc.assert(
      fc.property(text, (content) => {
        expect(lostBy('markdown', [{ name: 'prd.md', content: `### US-001: x\n\n- [ ] y\n\n${content}` }])).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
