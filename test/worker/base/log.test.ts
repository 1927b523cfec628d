// The worker's log: readable lines, no secrets, nothing that moves the cursor of who reads it.
import { describe, expect, it } from 'vitest';
import { createLog } from '../../../src/worker/base/log.ts';

function logged(format: 'pretty' | 'json', write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog({ level: 'info', format, write: (text) => lines.push(text) }));
  return lines.join('');
}

describe('the log', () => {
  it('is one line each, with its fields', () => {
    const text = logged('pretty', (log) => log.info({ task: 'abc', error: 'not found' }, 'run begins'));
    expect(text).toMatch(/^\d\d:\d\d:\d\d info {2}run begins task=abc error="not found"\n$/);
  });

  it('keeps control characters out of a line', () => {
    const text = logged('pretty', (log) => log.info({ error: 'a\nb\u001b[2J' }, 'one\ntwo\u001b[31m'));
    expect(text.trimEnd()).not.toMatch(/\p{Cc}/u);
  });

  it.each(['pretty', 'json'] as const)('masks fields with secret names (%s)', (format) => {
    const text = logged(format, (log) =>
      log.info({ token: 'secret-word', lease: { lease_token: 'secret-word' } }, 'hello'),
    );
    expect(text).not.toContain('secret-word');
  });

  it('can be JSON, one object a line', () => {
    const text = logged('json', (log) => log.warn({ task: 'abc' }, 'hello'));
    expect(JSON.parse(text)).toMatchObject({ level: 'warn', task: 'abc', msg: 'hello' });
  });
});
