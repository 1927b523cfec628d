// Cron expressions: what is one, and when it comes in zones with summer time.
import { describe, expect, it } from 'vitest';
import { parseCron, toLocalTime } from '../../../src/domain/schedules/cron-expression.ts';
import { validateCron } from '../../../src/domain/schedules/validate-cron.ts';

function next(cron: string, timezone: string, from: string, count: number): string[] {
  const times = parseCron(cron, timezone);
  const found: string[] = [];
  for (let at = times.next(Date.parse(from)); at !== undefined && found.length < count; at = times.next(at)) {
    found.push(toLocalTime(at, timezone));
  }
  return found;
}

describe('due times where clocks change', () => {
  it.each([
    // A fixed time in the gap comes once, at the first minute after it.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', ['2026-03-29T03:00:00+02:00', '2026-03-30T02:30:00+02:00']],
    [
      '30 2 * * *',
      'America/New_York',
      '2026-03-07T12:00:00Z',
      ['2026-03-08T03:00:00-04:00', '2026-03-09T02:30:00-04:00'],
    ],
    // A gap of half an hour.
    [
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-03T00:00:00Z',
      ['2026-10-04T02:30:00+11:00', '2026-10-05T02:15:00+11:00'],
    ],
    // A fixed time that comes twice counts once, the first time.
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', ['2026-10-25T02:30:00+02:00', '2026-10-26T02:30:00+01:00']],
    [
      '30 1 * * *',
      'America/New_York',
      '2026-10-31T12:00:00Z',
      ['2026-11-01T01:30:00-04:00', '2026-11-02T01:30:00-05:00'],
    ],
    // Steps follow real time, through both hours.
    [
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:59:00Z',
      [
        '2026-10-25T02:00:00+02:00',
        '2026-10-25T02:30:00+02:00',
        '2026-10-25T02:00:00+01:00',
        '2026-10-25T02:30:00+01:00',
      ],
    ],
    [
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-03-29T00:29:00Z',
      ['2026-03-29T01:30:00+01:00', '2026-03-29T03:00:00+02:00'],
    ],
    // No summer time, and a zone of three quarters of an hour.
    ['0 9 * * *', 'UTC', '2026-03-28T12:00:00Z', ['2026-03-29T09:00:00+00:00', '2026-03-30T09:00:00+00:00']],
    ['0 9 * * *', 'Asia/Kathmandu', '2026-03-28T12:00:00Z', ['2026-03-29T09:00:00+05:45']],
  ])('%s in %s after %s [platform-3.2.4, platform-3.2.5, platform-3.2.6]', (cron, timezone, from, expected) => {
    expect(next(cron, timezone, from, expected.length)).toEqual(expected);
  });
});

describe('a cron expression', () => {
  it.each([
    ['0 9 * * MON#1', ['2026-01-05T09:00:00+00:00']],
    ['0 0 L * *', ['2026-01-31T00:00:00+00:00']],
    ['0 0 1W * *', ['2026-01-01T00:00:00+00:00', '2026-02-02T00:00:00+00:00']],
    ['0 12 1-5/2 jan *', ['2026-01-01T12:00:00+00:00', '2026-01-03T12:00:00+00:00']],
    // Day of month and day of week: either.
    ['0 0 13 * FRI', ['2026-01-02T00:00:00+00:00', '2026-01-09T00:00:00+00:00', '2026-01-13T00:00:00+00:00']],
    ['@hourly', ['2026-01-01T00:00:00+00:00']],
    ['@yearly', ['2026-01-01T00:00:00+00:00', '2027-01-01T00:00:00+00:00']],
    ['  5   4 * * *  ', ['2026-01-01T04:05:00+00:00']],
  ])('may be %s [platform-3.2.7]', (cron, expected) => {
    expect(next(cron, 'UTC', '2025-12-31T23:59:59.999Z', expected.length)).toEqual(expected);
  });

  it.each([
    ['* * * *', 'invalid_cron'],
    ['* * * * * *', 'invalid_cron'],
    ['0 0 0 1 1 * 2030', 'invalid_cron'],
    ['2026-12-24T00:00:00', 'invalid_cron'],
    ['@reboot', 'invalid_cron'],
    ['@annually', 'invalid_cron'],
    ['61 * * * *', 'invalid_cron'],
    ['', 'invalid_cron'],
    ['constructor', 'invalid_cron'],
    [`${'1,'.repeat(100)}1 * * * *`, 'invalid_cron'],
    ['0 0 31 2 *', 'never_fires'],
    ['0 0 30 FEB *', 'never_fires'],
  ])('is not %s: %s [platform-3.2.8, platform-3.3.2]', (cron, code) => {
    expect(validateCron(cron, 'UTC', 0)).toEqual({ valid: false, error: { code, message: expect.any(String) } });
  });

  it.each(['Mars/Olympus', '+02:00', '', '../UTC'])('is not in the zone %s', (timezone) => {
    expect(validateCron('0 9 * * *', timezone, 0)).toMatchObject({ valid: false, error: { code: 'unknown_timezone' } });
  });
});
