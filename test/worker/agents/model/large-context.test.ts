// Which texts of a request move into the REPL, and when the tool `repl` refuses.
import type { ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  openLargeContext,
  rlmChoice,
  type LargeContext,
  type LargeContextOptions,
} from '../../../../src/worker/agents/model/large-context.ts';
import { openModel } from '../../../../src/worker/agents/model/model-step.ts';
import { defaultRlmSettings, type RlmSettings } from '../../../../src/worker/agents/model/rlm/rlm-settings.ts';
import { createSandboxedFiles } from '../../../../src/worker/sandboxed-fs/files.ts';

const { signal } = new AbortController();
const settings = { apiKey: undefined, endpoint: 'http://127.0.0.1:1/v1' };
const files = createSandboxedFiles('/nowhere');

function open(rlm: Partial<RlmSettings> = {}, options: Partial<LargeContextOptions> = {}): LargeContext {
  const limits = { maxSteps: 5, maxTokens: 1_000, shell: 'off', shellNetwork: false } as const;
  const model = openModel({ ...settings, ...limits, model: undefined }, 'm', fetch);
  const call = {
    settings,
    model,
    report: { finished: false, answer: '' },
    show: () => Promise.resolve(),
    wait: () => Promise.resolve(),
    largeContextHint: '',
    signal,
  };
  const opened = openLargeContext({
    choice: undefined,
    settings: { ...defaultRlmSettings, enabled: true, thresholdTokens: 10_000, ...rlm },
    call,
    subcallModel: model,
    files,
    taskPrompt: 'The question.',
    runTokens: 1_000_000,
    ...options,
  });
  if (opened === undefined) throw new Error('it is off');
  return opened;
}

function result(toolName: string, value: string): ModelMessage {
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c', toolName, output: { type: 'text', value } }],
  };
}

function shownOf(messages: readonly ModelMessage[]): string[] {
  return messages.map((message) => JSON.stringify(message.content));
}

describe('a request', () => {
  it('is left as it is under the threshold', async () => {
    await using context = open();
    const messages: ModelMessage[] = [{ role: 'user', content: 'x'.repeat(20_000) }];
    await context.fit(messages);
    expect(messages).toEqual([{ role: 'user', content: 'x'.repeat(20_000) }]);
    expect(context.tools).toEqual([]);
    expect(context.instructions).toEqual([]);
  });

  it('passes the threshold by all of its texts together; long ones move, short ones stay', async () => {
    await using context = open();
    const messages: ModelMessage[] = [
      { role: 'user', content: `The question.\n\n${'exchange '.repeat(3_000)}` },
      result('read', 'tool text '.repeat(2_000)),
      { role: 'user', content: 'A short message.' },
      result('list', 'entry '.repeat(200)),
    ];
    await context.fit(messages);
    const [prompt, read, message, list] = shownOf(messages);
    expect(prompt).toMatch(/^"The question\.\\n\\n\[context\[0\]: exchange, 27002 characters/);
    expect(read).toContain('[context[1]: result of read, 20000 characters');
    expect(message).toBe('"A short message."');
    expect(list).toContain('entry '.repeat(200));
    expect(context.tools.map(({ name }) => name)).toEqual(['repl']);
  });

  it('of many middling texts moves the longest of them until half of the threshold is left', async () => {
    await using context = open();
    const messages: ModelMessage[] = Array.from({ length: 20 }, (_, n) => result('read', 'ab '.repeat(1_000 + n)));
    await context.fit(messages);
    const moved = shownOf(messages).map((shown) => shown.includes('in the REPL'));
    expect(moved.lastIndexOf(false)).toBeLessThan(moved.indexOf(true));
    const left = moved.filter((isMoved) => !isMoved).length;
    expect(left * 750).toBeLessThanOrEqual(5_000);
    expect((left + 2) * 757).toBeGreaterThan(5_000 - 20 * 350);
  });

  it('keeps what the REPL printed, and moves what comes later', async () => {
    await using context = open({}, { choice: 'always' });
    const messages: ModelMessage[] = [{ role: 'user', content: 'The question.' }];
    await context.fit(messages);
    expect(messages).toEqual([{ role: 'user', content: 'The question.' }]);
    messages.push(result('repl', 'p'.repeat(9_000)), result('read', 'r'.repeat(9_000)));
    messages.push({ role: 'user', content: 'm'.repeat(9_000) });
    await context.fit(messages);
    const [, printed, read, message] = shownOf(messages);
    expect(printed).toContain('p'.repeat(9_000));
    expect(read).toContain('[context[0]: result of read, 9000 characters');
    expect(message).toContain('[context[1]: message, 9000 characters');
  });
});

describe('the tool repl', () => {
  it('refuses a block over the limit within one turn of the model', async () => {
    await using context = open({ maxIterations: 1 }, { choice: 'always' });
    await context.fit([{ role: 'user', content: 'The question.' }]);
    const [repl] = context.tools;
    const place = { files, shell: undefined, signal };
    expect(await repl?.run({ code: '1 + 1' }, place)).toEqual({ ok: true, text: '2\n' });
    expect(await repl?.run({ code: '1 + 1' }, place)).toEqual({
      ok: false,
      text: 'The block was not run: A2A_RLM_MAX_ITERATIONS is reached.',
    });
    expect(context.lastWords()).toContain('answer now');
  });
});

describe('metadata.rlm', () => {
  it.each([
    [{ rlm: 'always' }, 'always'],
    [{ rlm: 'never' }, 'never'],
    [{ rlm: 'sometimes' }, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])('%j is %s', (metadata, choice) => {
    expect(rlmChoice(metadata)).toBe(choice);
  });
});
