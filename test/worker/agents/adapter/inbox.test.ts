// Messages on their way to an agent, a dialogue on its stdin, and what it tells of its tools.
import { describe, expect, test } from 'vitest';
import { claude } from '../../../../src/worker/agents/programs/claude.ts';
import type { AgentAdapter, AgentReport } from '../../../../src/worker/agents/adapter/adapter.ts';
import { createInbox } from '../../../../src/worker/agents/adapter/inbox.ts';
import { createTextReader } from '../../../../src/worker/agents/output/text-reader.ts';
import { countToolCall } from '../../../../src/worker/agents/output/tool-counts.ts';
import { openRunFixture } from '../../../support/worker/run-fixture.ts';

const never = new AbortController().signal;

describe('an inbox', () => {
  test('hands each message out once, in order, and says who took it', async () => {
    const taken: string[] = [];
    const inbox = createInbox(({ id }) => taken.push(id));
    const arrived = inbox.arrived(never);
    expect(inbox.put({ id: 'a', text: 'one' })).toBe(true);
    expect(inbox.put({ id: 'b', text: 'two' })).toBe(true);
    await arrived;
    expect(taken).toEqual([]);
    expect(inbox.take().map(({ text }) => text)).toEqual(['one', 'two']);
    expect(inbox.take()).toEqual([]);
    expect(taken).toEqual(['a', 'b']);
  });

  test('does not close over a message that nobody has taken, and takes none once it is closed', async () => {
    const inbox = createInbox();
    inbox.put({ id: 'a', text: 'one' });
    expect(inbox.close()).toBe(false);
    expect(inbox.put({ id: 'b', text: 'two' })).toBe(true);
    inbox.take();
    expect(inbox.close()).toBe(true);
    expect(inbox.put({ id: 'c', text: 'three' })).toBe(false);
    await inbox.arrived(never);
  });

  test('gives back what is left when the worker shuts it, and wakes who waits', async () => {
    const inbox = createInbox();
    const waiting = createInbox().arrived(AbortSignal.abort());
    const woken = inbox.arrived(never);
    inbox.put({ id: 'a', text: 'one' });
    await Promise.all([waiting, woken]);
    expect(inbox.shut()).toEqual([{ id: 'a', text: 'one' }]);
    expect(inbox.put({ id: 'b', text: 'two' })).toBe(false);
  });
});

/** `sh`, with pieces written on its stdin. */
function talking(script: string, pieces: AsyncIterable<string>): AgentAdapter {
  return {
    name: 'talking',
    program: 'sh',
    version: undefined,
    converses: false,
    takesModel: () => true,
    invoke: () => Promise.resolve({ argv: ['sh', '-c', script], stdin: pieces }),
    read: () => createTextReader({ unsure: false }),
  };
}

describe('pieces on the stdin of an agent', () => {
  test('arrive as they come, and their end closes it', async () => {
    await using fixture = await openRunFixture();
    async function* pieces(): AsyncGenerator<string> {
      yield 'one\n';
      await Promise.resolve();
      yield 'two\n';
    }
    const outcome = await fixture.execute({}, { agent: talking('cat; echo over', pieces()) });
    expect(outcome).toMatchObject({ status: 'completed', result: 'one\ntwo\nover' });
  });

  test('do not hold up the end of an agent that reads them no more', async () => {
    await using fixture = await openRunFixture();
    async function* pieces(): AsyncGenerator<string> {
      yield 'x'.repeat(1_000_000);
      await new Promise(() => undefined);
    }
    const outcome = await fixture.execute({}, { agent: talking('echo over', pieces()) });
    expect(outcome).toMatchObject({ status: 'completed', result: 'over' });
  });

  test('that break end the run', async () => {
    await using fixture = await openRunFixture();
    // oxlint-disable-next-line require-yield
    async function* pieces(): AsyncGenerator<string> {
      await Promise.resolve();
      throw new Error('the dialogue broke');
    }
    await expect(fixture.execute({}, { agent: talking('sleep 60', pieces()) })).rejects.toThrow('the dialogue broke');
  });
});

describe('what claude tells of itself', () => {
  const messageLine = (type: string, content: unknown[]): string =>
    `${JSON.stringify({ type, session_id: 'a-session', message: { content } })}\n`;

  test('counts its tools and their failures, and names its session', () => {
    const reader = claude.read();
    reader.stdout(messageLine('assistant', [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }]));
    reader.stdout(messageLine('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'a' }]));
    reader.stdout(messageLine('assistant', [{ type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'no' } }]));
    reader.stdout(messageLine('user', [{ type: 'tool_result', tool_use_id: 't2', is_error: true, content: 'no' }]));
    reader.stdout(messageLine('user', [{ type: 'tool_result', tool_use_id: 't2', is_error: true, content: 'again' }]));
    expect(reader.report()).toMatchObject({ session: 'a-session' });
    expect(Object.fromEntries(reader.report().tools ?? [])).toEqual({ Bash: { calls: 2, failed: 1 } });
  });

  test('tells no more than a hundred tools apart, whatever they are called', () => {
    const report: AgentReport = { finished: false, answer: '' };
    for (let i = 0; i < 1000; i += 1) countToolCall(report, `tool ${i}`);
    countToolCall(report, '__proto__');
    countToolCall(report, '');
    expect(report.tools?.size).toBeLessThanOrEqual(101);
    expect([...(report.tools?.values() ?? [])].reduce((sum, { calls }) => sum + calls, 0)).toBe(1002);
  });
});
