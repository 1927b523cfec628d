// How a run ended: an exit code alone never decides it.
import { describe, expect, test } from 'vitest';
import type { AgentReport } from '../../../../src/worker/agents/adapter/adapter.ts';
import { codex } from '../../../../src/worker/agents/programs/codex.ts';
import { classifyFailure } from '../../../../src/worker/agents/output/failure.ts';
import { opencode } from '../../../../src/worker/agents/programs/opencode.ts';
import { pi } from '../../../../src/worker/agents/programs/pi.ts';
import { templateAdapter } from '../../../../src/worker/agents/programs/template.ts';
import { judge, type Evidence } from '../../../../src/worker/agents/output/verdict.ts';
import { openRunFixture } from '../../../support/worker/run-fixture.ts';

const done: AgentReport = { finished: true, answer: 'Done.' };

function evidence(fields: Partial<Evidence> & { report?: AgentReport }): Evidence {
  const agent = { name: 'pi', program: '/bin/pi' };
  return { agent, exit: { kind: 'exited', code: 0 }, report: done, stderr: '', changed: false, ...fields };
}

describe('the verdict [choices-5.58]', () => {
  test('is success only for an agent that says that it is done', () => {
    expect(judge(evidence({}))).toEqual({ status: 'completed', result: 'Done.' });
    const silent = judge(evidence({ report: { finished: false, answer: '' }, stderr: 'a hint\n' }));
    expect(silent).toMatchObject({ status: 'failed', error: { code: 'agent_error' } });
    expect(silent.error?.message).toContain('a hint');
  });

  test('is what the agent says of its model, whatever the exit code', () => {
    const failure = classifyFailure('pi', 'connect ECONNREFUSED 127.0.0.1:1');
    const report = { finished: false, answer: '', failure };
    expect(judge(evidence({ report })).error?.code).toBe('model_unreachable');
    expect(judge(evidence({ report, exit: { kind: 'exited', code: 1 } })).error?.code).toBe('model_unreachable');
  });

  test('tells exit code, signal and the last lines of stderr', () => {
    const stderr = `${'noise\n'.repeat(1000)}the cause\n`;
    const failed = judge(evidence({ exit: { kind: 'exited', code: 7 }, stderr }));
    expect(failed).toMatchObject({ status: 'failed', result: 'Done.', error: { code: 'agent_exit' } });
    expect(failed.error?.message).toMatch(/^pi ended with exit code 7\.[^]*the cause$/);
    expect(failed.error?.message.length).toBeLessThan(3_000);
    expect(failed.error?.message).toContain('Its last lines on stderr:\nnoise');
    const quiet = judge(evidence({ exit: { kind: 'exited', code: 7 } }));
    expect(quiet.error?.message).toBe('pi ended with exit code 7.\nIts answer ends with:\nDone.');
    const killed = judge(evidence({ exit: { kind: 'signalled', signal: 'SIGSEGV' } }));
    expect(killed.error?.message).toContain('SIGSEGV');
  });

  test('names an agent program that is gone', async () => {
    await using fixture = await openRunFixture();
    const outcome = await fixture.execute({}, { agent: templateAdapter(['/nowhere/agent']) });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'agent_not_found' } });
    expect(outcome.error?.message).toContain('/nowhere/agent');
  });

  test('believes the last words of a program that changed nothing', async () => {
    await using fixture = await openRunFixture();
    const runScript = (script: string) => fixture.execute({}, { agent: templateAdapter(['sh', '-c', script]) });
    const away = 'echo "Error: connect ECONNREFUSED 127.0.0.1:9" >&2';
    expect(await runScript(away)).toMatchObject({ status: 'failed', error: { code: 'model_unreachable' } });
    expect(await runScript(`${away}; exit 2`)).toMatchObject({
      status: 'failed',
      error: { code: 'model_unreachable' },
    });
    expect(await runScript(`${away}; echo x > x.txt`)).toMatchObject({ status: 'completed' });
    expect(await runScript('echo fine')).toMatchObject({ status: 'completed', result: 'fine' });
  });
});

describe('what an agent says of a failure', () => {
  test.each([
    ['503: {"message":"nope"}', 'model_unreachable'],
    ['Cannot connect to API: Unable to connect. Is the computer able to access the url?', 'model_unreachable'],
    ['unexpected status 503 Service Unavailable: nope, url: http://127.0.0.1:18555/v1/responses', 'model_unreachable'],
    ['API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)', 'model_unreachable'],
    ['Invalid API key · Please run /login', 'model_refused'],
    ['401 Unauthorized: the connection failed', 'model_refused'],
    ['context length exceeded', 'agent_error'],
    ['', 'agent_error'],
  ])('%s: %s', (runScript, code) => {
    expect(classifyFailure('pi', runScript).code).toBe(code);
  });
});

function lines(...events: object[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** One step of opencode with a text in it. */
function step(text: string, reason: string): object[] {
  const end = { type: 'step_finish', part: { reason, cost: 0 } };
  return [{ type: 'step_start' }, { type: 'text', part: { text } }, end];
}

describe('the events of an agent', () => {
  test('are read across any pieces, and other lines are shown as they are', () => {
    const reader = codex.read();
    const text = `hello\n${lines({ type: 'item.completed', item: { type: 'agent_message', text: 'Añ😀' } })}{"broken`;
    const pieces = Array.from(text).flatMap((piece) => reader.stdout(piece));
    expect([...pieces, ...reader.end()]).toEqual([
      { stream: 'stdout', text: 'hello\n' },
      { stream: 'agent', text: 'Añ😀\n' },
      { stream: 'stdout', text: '{"broken\n' },
    ]);
    expect(reader.report()).toEqual({ finished: false, answer: 'Añ😀' });
  });

  test('of codex: waiting for its model ends with the next thing that happens', () => {
    const reader = codex.read();
    reader.stdout(lines({ type: 'error', message: 'Reconnecting... 1/5 (503)' }));
    expect(reader.report().waitingForModel).toContain('503');
    reader.stdout(
      lines({ type: 'turn.completed', usage: { input_tokens: 5, cached_input_tokens: 2, output_tokens: 1 } }),
    );
    expect(reader.report()).toEqual({
      finished: true,
      answer: '',
      usage: { input_tokens: 5, cached_tokens: 2, output_tokens: 1 },
      sessionUsage: { input_tokens: 5, cached_tokens: 2, output_tokens: 1 },
    });
  });

  test('of pi: a failure that a retry made good is none, and usage adds up', () => {
    const reader = pi.read();
    const usage = { input: 10, output: 2, cacheRead: 30, cacheWrite: 5, cost: { total: 0.25 } };
    const message = (fields: object) => ({
      type: 'message_end',
      message: { role: 'assistant', content: [], usage, ...fields },
    });
    reader.stdout(lines(message({ stopReason: 'error', errorMessage: '503' })));
    expect(reader.report().failure?.code).toBe('model_unreachable');
    reader.stdout(lines({ type: 'auto_retry_start', errorMessage: '503' }));
    reader.stdout(lines(message({ stopReason: 'stop', content: [{ type: 'text', text: 'Fine.' }] })));
    expect(reader.report()).toEqual({
      finished: true,
      answer: 'Fine.',
      usage: { input_tokens: 90, cached_tokens: 60, output_tokens: 4, cost_usd: 0.5 },
    });
  });

  test('of opencode: the answer is the text of the last step', () => {
    const reader = opencode.read();
    reader.stdout(lines(...step('Let me look.', 'tool-calls')));
    expect(reader.report().finished).toBe(false);
    reader.stdout(lines(...step('It is so.', 'stop')));
    expect(reader.report()).toEqual({ finished: true, answer: 'It is so.' });
  });
});
