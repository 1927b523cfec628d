// The evidence for a criterion: a gate, a command, or the judge. In doubt it is the judge.
import { describe, expect, it } from 'vitest';
import { tieCriteria, type CriterionTie } from '../../../src/domain/prd/criterion-rules.ts';

const gates = [
  { id: 'typecheck', command: 'npm run typecheck' },
  { id: 'lint', command: 'npm run lint' },
  { id: 'test', command: 'npm test' },
];

function tieOf(text: string, some: readonly { id: string; command: string }[] = gates): CriterionTie | undefined {
  return tieCriteria({ acceptanceCriteria: [text], checks: [] }, some)[0];
}

describe('a criterion', () => {
  it.each([
    ['Typecheck passes', 'typecheck'],
    ['typecheck passes.', 'typecheck'],
    ['Type checking succeeds', 'typecheck'],
    ['Lint passes', 'lint'],
    ['Linting passes', 'lint'],
    ['Tests pass', 'test'],
    ['All tests pass', 'test'],
    ['`npm test` passes', 'test'],
    ['`npm  run lint` exits 0', 'lint'],
    ['npm run typecheck passes', 'typecheck'],
  ])('is shown by a gate: %s', (text, gateId) => {
    expect(tieOf(text)).toEqual({ by: 'gate', gateId });
  });

  it('is shown by a gate of the same kind under another name [runs-10.2]', () => {
    const pnpm = [
      { id: 'checks', command: 'pnpm run typecheck' },
      { id: 'unit', command: 'cargo test' },
    ];
    expect(tieOf('Typecheck passes', pnpm)).toEqual({ by: 'gate', gateId: 'checks' });
    expect(tieOf('Tests pass', pnpm)).toEqual({ by: 'gate', gateId: 'unit' });
    expect(tieOf('Tests pass', [{ id: 'pytest', command: 'pytest -q' }])).toEqual({ by: 'gate', gateId: 'pytest' });
  });

  it.each([
    ['`node hello.js` exits 0', 'node hello.js'],
    ['`npm test -- login` passes', 'npm test -- login'],
    ['Running `make -C docs` succeeds.', 'make -C docs'],
    ['The command `./bin/tool --version` exits with code 0', './bin/tool --version'],
    ['``echo `date` `` succeeds', 'echo `date`'],
  ])('is a check of its own: %s', (text, command) => {
    expect(tieOf(text)).toEqual({ by: 'check', command });
  });

  it.each([
    'Each card shows a badge',
    'Tests pass on Windows',
    'Tests pass and the page is fast',
    'The tests of the old API pass no longer',
    '`node hello.js` prints Hello',
    '`node hello.js` exits 0 and prints Hello',
    '`node hello.js` exits 01',
    'Both `a` and `b` pass',
    'The page is nice and `npm test` passes',
    'When logged out, `npm test` passes',
    'It is not so that `npm test` passes',
    '`npm test` never passes',
    '``` ``` passes',
    'exits 0',
    '',
  ])('is for the judge: %j', (text) => {
    expect(tieOf(text)).toEqual({ by: 'judge' });
  });

  it.each(['`', ' ', '` ', '`a` passes '])('of a megabyte is read at once: %j', (piece) => {
    const text = `\`x\` passes${piece.repeat(1_048_576 / piece.length)}x`;
    expect(tieOf(text)).toEqual({ by: 'judge' });
  });

  it('is for the judge where there is no such gate [runs-10.2]', () => {
    expect(tieOf('Tests pass', [])).toEqual({ by: 'judge' });
    expect(tieOf('Tests pass', [{ id: 'greet', command: 'echo test' }])).toEqual({ by: 'judge' });
  });

  it('is shown by its declared check before any rule', () => {
    const checks = [
      { criterion: 1, command: 'make check' },
      { criterion: null, command: 'true' },
    ];
    expect(tieCriteria({ acceptanceCriteria: ['Tests pass', 'Lint passes'], checks }, gates)).toEqual([
      { by: 'gate', gateId: 'test' },
      { by: 'check', command: 'make check' },
    ]);
  });

  it('with two declared checks needs both', () => {
    const checks = [
      { criterion: 0, command: 'true # fine' },
      { criterion: 0, command: 'false' },
    ];
    expect(tieCriteria({ acceptanceCriteria: ['x'], checks }, gates)).toEqual([
      { by: 'check', command: '(true # fine\n) && (false\n)' },
    ]);
  });
});
