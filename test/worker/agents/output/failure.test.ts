// How messages of agents about their failure are classified.
import { describe, expect, it } from 'vitest';
import { claude } from '../../../../src/worker/agents/programs/claude.ts';
import { classifyFailure } from '../../../../src/worker/agents/output/failure.ts';
import { judge } from '../../../../src/worker/agents/output/verdict.ts';

describe('a message', () => {
  it.each([
    "You've hit your usage limit. Upgrade or try again in 3 days 4 hours 9 minutes.",
    '429 Too Many Requests',
    'rate_limit_exceeded: slow down',
    'Quota exceeded for this project',
  ])('of a limited model is rate_limited: %s [runs-19.2]', (message) => {
    expect(classifyFailure('codex', message).code).toBe('rate_limited');
  });

  it('names the end of the limit where it tells it [runs-19.2]', () => {
    const before = Date.now();
    const { retry_at: at } = classifyFailure('codex', 'usage limit reached, try again in 1 hour 30 minutes');
    const wait = (Date.parse(at ?? '') - before) / 1000;
    expect(wait).toBeGreaterThanOrEqual(5400);
    expect(wait).toBeLessThan(5400 + 60);
    expect(classifyFailure('codex', 'usage limit reached')).not.toHaveProperty('retry_at');
    expect(classifyFailure('codex', 'rate limit, retry after 999999999 seconds')).not.toHaveProperty('retry_at');
  });

  it.each([
    ['401 Unauthorized: rate limit of anonymous calls', 'model_refused'],
    ['connect ECONNREFUSED 127.0.0.1:1', 'model_unreachable'],
    ['cannot find module', 'agent_error'],
  ])('%s is %s', (message, code) => {
    expect(classifyFailure('pi', message).code).toBe(code);
  });
});

describe('a rejected request of claude', () => {
  const line = (event: object): string => `${JSON.stringify(event)}\n`;
  const rejected = (resetsAt: number | undefined, status = 'rejected'): string =>
    line({ type: 'rate_limit_event', rate_limit_info: { status, resetsAt, rateLimitType: 'five_hour' } });
  const failed = line({ type: 'result', subtype: 'success', is_error: true, result: 'Your session has ended' });

  it('limits the attempt until the reset that it tells in seconds [runs-19.2]', () => {
    const reader = claude.read();
    const resetsAt = Math.floor(Date.now() / 1000) + 7200;
    reader.stdout(rejected(resetsAt) + failed);
    reader.end();
    const { failure } = reader.report();
    expect(failure).toMatchObject({ code: 'rate_limited' });
    expect(Math.round(Date.parse(failure?.retry_at ?? '') / 1000)).toBe(resetsAt);
  });

  it('is forgotten when a later request is allowed', () => {
    const reader = claude.read();
    reader.stdout(rejected(undefined) + rejected(undefined, 'allowed') + failed);
    reader.end();
    expect(reader.report().failure?.code).toBe('agent_error');
  });
});

it('an answer that speaks of limits limits nothing [runs-19.2]', () => {
  const evidence = {
    agent: { name: 'pi', program: '/bin/pi' },
    exit: { kind: 'exited' as const, code: 1 },
    report: { finished: false, answer: 'I added a handler for 429 Too Many Requests.' },
    stderr: '',
    changed: false,
  };
  expect(judge(evidence).error?.code).toBe('agent_exit');
  expect(judge({ ...evidence, stderr: 'error: 429 Too Many Requests' }).error?.code).toBe('rate_limited');
});
