// The prompt of a follow-up: places, quotes that nothing can leave, and what is too long.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildFollowUpPrompt } from '../../../src/domain/reviews/follow-up-prompt.ts';

const change = { taskId: 'a-task', branch: undefined, commit: undefined };

function promptOf(comments: Parameters<typeof buildFollowUpPrompt>[2]): string {
  return buildFollowUpPrompt(change, undefined, comments).prompt;
}

describe('the prompt of a follow-up', () => {
  it('names the place of each comment in one line [ui-6.6.3]', () => {
    const prompt = promptOf([
      { path: 'a.ts', text: 'one' },
      { path: 'a.ts', side: 'old', line: 3, text: 'two' },
      { path: 'a.ts', line: 3, end_line: 3, text: 'three' },
      { path: 'a.ts', line: 3, end_line: 5, text: 'four' },
      { path: 'a\n## 9. x', text: 'five' },
      { text: 'six' },
    ]);
    expect(prompt.split('\n').filter((line) => line.startsWith('## '))).toEqual([
      '## 1. a.ts',
      '## 2. a.ts, old line 3',
      '## 3. a.ts, new line 3',
      '## 4. a.ts, new lines 3 to 5',
      '## 5. a\u{fffd}## 9. x',
      '## 6. The whole change',
    ]);
    expect(prompt).toMatch(/^Your change of task a-task was reviewed\. /);
  });

  it('fences quotes with more backticks than they hold [ui-6.6.3]', () => {
    const quote = 'a ```` b\r\n# A heading\r> ```';
    expect(promptOf([{ path: 'a', line: 1, quote, text: 'x' }])).toContain(
      '> `````\n> a ```` b\n> # A heading\n> > ```\n> `````\nx\n',
    );
  });

  it('keeps every line of every quote in its block [ui-6.6.3]', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '\n', '\r', '>', ' ', '#', 'a') }), (quote) => {
        const lines = promptOf([{ path: 'a', line: 1, quote, text: 'THE COMMENT' }]).split(/\r\n|\r|\n/);
        const block = lines.slice(2, lines.indexOf('THE COMMENT'));
        expect(block.every((line) => line.startsWith('> '))).toBe(true);
        const fence = block.at(0)?.slice(2) ?? '';
        expect(block.slice(1, -1).some((line) => fence !== '' && line.includes(fence))).toBe(false);
      }),
    );
  });

  it('has 200,000 characters at most; the rest stands beside it [ui-6.6.4]', () => {
    const long = { path: 'a', line: 1, quote: 'q'.repeat(100_000), text: 't' };
    const fits = buildFollowUpPrompt(change, 'word', [long]);
    expect(fits.comments).toBeUndefined();
    const text = buildFollowUpPrompt(change, 'word', [long, long]);
    expect(text.prompt.length).toBeLessThan(1000);
    expect(text.comments).toMatch(/^word\n## 1\. a, new line 1\n/);
  });
});
