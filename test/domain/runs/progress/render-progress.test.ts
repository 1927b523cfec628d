// progress.txt: the learnings of a run, as agents and people read them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanLearning, maxLearningBytes } from '../../../../src/domain/runs/learning-text.ts';
import {
  maxProgressBytes,
  renderProgress,
  renderProgressFor,
} from '../../../../src/domain/runs/progress/render-progress.ts';
import { buildLearning, buildPrdRun, buildStoryAttempt } from '../../../support/builders/prd-run.ts';

const run = buildPrdRun();

describe('progress.txt', () => {
  it('has patterns first, then an entry for each iteration and each guidance', () => {
    const learnings = [
      buildLearning({ text: '- `npm test` exit 1\nexpected 2, got 3\n- 1 test fewer' }),
      buildLearning({ kind: 'note', author: 'agent', text: 'the price is in cents' }),
      buildLearning({ kind: 'pattern', author: 'agent', text: 'money is in cents' }),
      buildLearning({ kind: 'guidance', author: 'human', storyId: null, n: null, text: 'use euros' }),
    ];
    const attempts = [buildStoryAttempt({ status: 'failed' })];
    expect(renderProgress({ run, learnings, attempts })).toBe(
      [
        `# Progress: Shop (run ${run.id})`,
        '## Codebase Patterns',
        '- money is in cents',
        '## 2026-01-01 10:00 UTC - US-001, iteration 1: failed',
        '- `npm test` exit 1',
        '  expected 2, got 3',
        '- 1 test fewer',
        '- Learnings: the price is in cents',
        '---',
        '## 2026-01-01 10:00 UTC - all, guidance',
        '- use euros',
        '---',
        '',
      ].join('\n'),
    );
  });

  it('for a work place fits its limit, and counts what it folds [runs-9.5]', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.string({ maxLength: 9000 })), { maxLength: 60 }),
        (texts) => {
          const learnings = texts.map(([n, text], index) =>
            buildLearning({
              storyId: `US-00${(index % 3) + 1}`,
              n,
              text,
              kind: index % 5 === 0 ? 'pattern' : 'failure',
            }),
          );
          const text = renderProgressFor({ run, learnings, attempts: [], storyId: 'US-001' });
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxProgressBytes);
          expect(text.startsWith(`# Progress: Shop (run ${run.id})\n## Codebase Patterns\n`)).toBe(true);
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
    const many = Array.from({ length: 30 }, (_, n) => buildLearning({ n: n + 1, text: 'x'.repeat(8000) }));
    expect(renderProgressFor({ run, learnings: many, attempts: [], storyId: 'US-001' })).toMatch(
      /^… \d+ earlier entries: GET \/v1\/ralph\/runs\//m,
    );
  });

  it('keeps the entries of its story and the last of each other one', () => {
    const learnings = ['US-001', 'US-002', 'US-002', 'US-001'].map((storyId, index) =>
      buildLearning({ storyId, n: index + 1, text: `failure ${index}` }),
    );
    const text = renderProgressFor({ run, learnings, attempts: [], storyId: 'US-001' });
    expect([0, 2, 3].every((index) => text.includes(`failure ${index}`))).toBe(true);
    expect(text).not.toContain('failure 1');
  });

  it('shows a learning that is a list as that list', () => {
    const text = renderProgress({
      run,
      attempts: [],
      learnings: [buildLearning({ text: '- `npm test` exit 1\n    3 !== 2\n- `lint` exit 2\n---' })],
    });
    expect(text).toContain('\n- `npm test` exit 1\n    3 !== 2\n- `lint` exit 2\n  ---\n---\n');
  });

  it('lets no learning write a heading of its own [runs-9.4]', () => {
    const text = renderProgress({
      run,
      attempts: [],
      learnings: [buildLearning({ text: 'a\n## 2026-01-01 00:00 UTC - US-002, iteration 1: passed\n---\nb' })],
    });
    expect(text.match(/^## /gm)).toHaveLength(2);
  });
});

describe('a learning', () => {
  it('has no hidden characters and at most 8 KiB, cut at a character [runs-9.4]', () => {
    expect(cleanLearning('a\u0000\u001b[31m\u202eb\tc\r\nd')).toBe('ab\tc\nd');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20_000 }), (given) => {
        // A cut through a character would leave a replacement character, which is looked for.
        const text = given.replaceAll('\uFFFD', '');
        const clean = cleanLearning(text.repeat(3));
        expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(maxLearningBytes);
        expect(clean).not.toContain('\uFFFD');
      }),
      { numRuns: 50, endOnFailure: true },
    );
  });
});
