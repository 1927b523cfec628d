// A pino record as one readable line.
import { describe, expect, it } from 'vitest';
import { formatRecord } from '../../../src/lib/log/format-record.ts';

const head = { level: 'error', time: '2026-01-02T03:04:05.678Z', pid: 7 };
const format = (fields: object): string => formatRecord(`${JSON.stringify({ ...head, ...fields })}\n`, ['pid']);

describe('a readable log line', () => {
  it('has time, level, message and fields, without those that are omitted', () => {
    expect(format({ msg: 'it listens', url: 'http://127.0.0.1:1', count: 2, reason: 'two words' })).toBe(
      '03:04:05 error it listens url=http://127.0.0.1:1 count=2 reason="two words"\n',
    );
  });

  it('shows the messages of an error and its causes, and no stack', () => {
    const cause = { name: 'Error', message: 'connection refused', code: 'ECONNREFUSED' };
    const error = { name: 'Error', message: 'no database', stack: 'Error: no database\n    at x', cause };
    expect(format({ msg: 'will retry', error })).toBe(
      '03:04:05 error will retry error="no database: connection refused (ECONNREFUSED)"\n',
    );
  });

  it('stays one line without control characters', () => {
    const text = format({ msg: 'a\nb\u001b[2J', error: { message: 'c\nd\u001b[31m' }, list: ['e\nf'] });
    expect(text.trimEnd()).not.toMatch(/\p{Cc}/u);
  });
});
