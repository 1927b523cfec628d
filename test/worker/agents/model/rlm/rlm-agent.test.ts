// The agent `model` with long texts: the five tasks, the limits, the failures, the record; its model is a scripted one.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { modelAgent } from '../../../../../src/worker/agents/model/model-agent.ts';
import { replayRlm } from '../../../../../src/worker/agents/model/rlm/rlm-replay.ts';
import { rlmRow, type RlmRow } from '../../../../../src/worker/agents/model/rlm/rlm-record.ts';
import { defaultRlmSettings, type RlmSettings } from '../../../../../src/worker/agents/model/rlm/rlm-settings.ts';
import type { TaskOutcome } from '../../../../../src/worker/report/task-outcome.ts';
import { createRlmTasks, lastUserText, rlmPrompt } from '../../../../support/agents/rlm-tasks.ts';
import { startScriptedModel, type PlainAnswer, type Step } from '../../../../support/agents/scripted-model.ts';
import { artifactOf, openRunFixture, type RunFixture } from '../../../../support/worker/run-fixture.ts';

const signal = new AbortController().signal;

interface Scene {
  readonly prompt: string;
  readonly steps: Step[];
  readonly plainAnswer?: PlainAnswer;
  readonly rlm?: Partial<RlmSettings>;
  readonly metadata?: Record<string, unknown>;
  readonly maxTokens?: number;
  /** Prepares the workspace. */
  readonly prepare?: (fixture: RunFixture) => Promise<void>;
}

interface Played {
  readonly outcome: TaskOutcome;
  /** The requests with tools, in order. */
  readonly requests: { raw: string; tools: { name: string }[] }[];
  readonly rows: RlmRow[];
  readonly record: string;
}

async function play({ prompt, steps, plainAnswer, rlm, metadata = {}, ...more }: Scene): Promise<Played> {
  await using fixture = await openRunFixture();
  await more.prepare?.(fixture);
  await using model = await startScriptedModel(steps, plainAnswer);
  const settings = {
    endpoint: `${model.url}/v1`,
    apiKey: undefined,
    model: 'm1',
    maxSteps: 100,
    maxTokens: more.maxTokens ?? 1_000_000,
    shell: 'off',
    shellNetwork: false,
    rlm: { ...defaultRlmSettings, enabled: true, thresholdTokens: 1_000, memoryMb: 128, ...rlm },
  } as const;
  const agent = modelAgent(settings, { fetch, sandbox: undefined, hidden: [fixture.stateDir] });
  const outcome = await fixture.execute({ prompt, metadata, agent_type: 'explore' }, { agent, modelPatienceMs: 5_000 });
  const record = artifactOf(outcome, 'rlm')?.text ?? '';
  const rows = record.split('\n').flatMap((line) => (line === '' ? [] : [rlmRow.parse(JSON.parse(line))]));
  return { outcome, requests: model.requests, rows, record };
}

function repl(code: string): Step {
  return { call: 'repl', args: { code } };
}

const done: Step = { reply: 'Done.' };
const tell: Step = ({ lastResult }) => ({ reply: lastResult.trim() });
const long = 'A line that says little.\n'.repeat(2_000);

function ofType<T extends RlmRow['type']>(rows: readonly RlmRow[], type: T): Extract<RlmRow, { type: T }>[] {
  return rows.filter((row): row is Extract<RlmRow, { type: T }> => row.type === type);
}

const sizes = { needleChars: 400_000, labelledLines: 400, pairItems: 200, documents: 40, repositoryFiles: 60 };

describe('the agent model with a long context', () => {
  test.each(createRlmTasks(sizes).map((task) => [task.name, task] as const))(
    'answers the task %s exactly, and its record replays to the same answer',
    async (_, task) => {
      const { outcome, requests, rows, record } = await play({
        ...task,
        prompt: rlmPrompt(task),
        // The question over a repository is a short prompt.
        ...(task.text === '' && { metadata: { rlm: 'always' } }),
        prepare: async (fixture) => {
          for (const [path, text] of Object.entries(task.files)) await fixture.write(path, text);
        },
      });
      expect(outcome).toMatchObject({ status: 'completed', result: task.expected });
      const end = { type: 'end', blocks: task.steps.length - 1, subcalls: task.subcalls, truncated: false };
      expect(rows.at(-1)).toEqual(end);
      // Each request of the scripted model claims 100 and 10 tokens, the sub-calls' too.
      const calls = requests.length + task.subcalls;
      expect(outcome.usage).toMatchObject({ input_tokens: 100 * calls, output_tokens: 10 * calls });
      for (const { raw } of requests) expect(raw.length).toBeLessThan(20_000);
      const parts = new Map(task.text === '' ? [] : [['prompt', rlmPrompt(task)]]);
      const replay = await replayRlm({ record, parts, settings: defaultRlmSettings, signal });
      expect(replay).toEqual({ answer: task.expected, differences: [] });
    },
  );

  test('shows of a long part its name, its length and 1,200 characters of its head', async () => {
    const prompt = `HEAD${long}TAIL-OF-THE-PROMPT`;
    const { requests } = await play({ prompt, steps: [done] });
    const shown = lastUserText(requests[0]?.raw ?? '');
    expect(shown).toContain(`context[0]: prompt, ${prompt.length} characters`);
    expect(shown).toContain(prompt.slice(0, 1_200));
    expect(shown).not.toContain(prompt.slice(0, 1_201));
    expect(requests[0]?.raw).not.toContain('TAIL-OF-THE-PROMPT');
    expect(requests[0]?.tools.map(({ name }) => name)).toContain('repl');
  });

  test('is off by default: requests are the same bytes as without it, under the threshold and over [runs-14.1, tools-8.5]', async () => {
    const bodies = async (rlm: Partial<RlmSettings>, prompt: string, metadata = {}): Promise<string[]> =>
      (await play({ prompt, steps: [{ call: 'list', args: {} }, done], rlm, metadata })).requests.map(({ raw }) =>
        raw.replaceAll(/call_[0-9a-f]+/g, 'call_id'),
      );
    const off = await bodies({ enabled: false }, 'Short.');
    expect(await bodies({ enabled: true }, 'Short.')).toEqual(off);
    const offLong = await bodies({ enabled: false }, long);
    expect(offLong[0]).toContain(JSON.stringify(long).slice(1, -1));
    expect(await bodies({ enabled: true }, long, { rlm: 'never' })).toEqual(offLong);
    expect(await bodies({ enabled: true }, long)).not.toEqual(offLong);
    expect((await bodies({ enabled: false }, 'Short.', { rlm: 'always' }))[0]).toContain('"repl"');
  });

  test('offers the tool from the turn on in which results pass the threshold, and for the rest [runs-14.1, tools-8.6]', async () => {
    const { requests, rows } = await play({
      prompt: 'Short.',
      prepare: (fixture) => fixture.write('big.txt', 'x needle y\n'.repeat(2_000)),
      steps: [
        { call: 'list', args: {} },
        { read: 'big.txt' },
        repl('print(context.map(({ name }) => name).join(), context[0].search("needle").length)'),
        { call: 'list', args: {} },
        tell,
      ],
    });
    const offers = requests.map(({ tools }) => tools.some(({ name }) => name === 'repl'));
    expect(offers).toEqual([false, false, true, true, true]);
    expect(requests[2]?.raw).toContain('context[0]: result of read');
    expect(ofType(rows, 'output')[0]?.text).toBe('result of read 2000\n');
  });

  test('names the setting where a request is larger than the window [runs-14.2]', async () => {
    const refusal = 'This model has a maximum context length of 8192 tokens';
    const outcomes = await Promise.all(
      [{ enabled: false }, { enabled: true, thresholdTokens: 1_000_000 }].map(async (rlm) => {
        await using fixture = await openRunFixture();
        const answer: typeof fetch = () =>
          Promise.resolve(new Response(JSON.stringify({ error: { message: refusal } }), { status: 400 }));
        const limits = { maxSteps: 5, maxTokens: 100_000, shell: 'off', shellNetwork: false } as const;
        const settings = { endpoint: 'http://127.0.0.1:1/v1', apiKey: undefined, model: 'm', ...limits };
        const all = { ...settings, rlm: { ...defaultRlmSettings, ...rlm } };
        const agent = modelAgent(all, { fetch: answer, sandbox: undefined, hidden: [] });
        return await fixture.execute({ prompt: long }, { agent });
      }),
    );
    expect(outcomes[0]?.error).toMatchObject({
      code: 'context_too_large',
      message: expect.stringContaining('SERVICE_RLM_ENABLED'),
    });
    expect(outcomes[1]?.error).toMatchObject({
      code: 'context_too_large',
      message: expect.stringContaining('A2A_RLM_THRESHOLD_TOKENS'),
    });
  });
});

describe('the limits of sub-calls', () => {
  const answerOk: PlainAnswer = () => 'ok';

  test('refuse the 6th of an iteration before it is made, and name the limit and what is left [runs-14.4, tools-8.7]', async () => {
    let asked = 0;
    const { outcome, rows } = await play({
      prompt: long,
      plainAnswer: () => {
        asked += 1;
        return 'ok';
      },
      steps: [
        repl(
          'let n = 0; try { for (;;) { llm("q"); n += 1 } } catch (e) { print(n, e instanceof LimitError, e.limit, e.left) }',
        ),
        repl('llm("again")'),
        tell,
      ],
    });
    expect(ofType(rows, 'output')[0]?.text).toBe('5 true A2A_RLM_MAX_SUBCALLS_PER_ITERATION 0\n');
    expect(outcome.result).toBe('ok');
    expect(asked).toBe(6);
    expect(ofType(rows, 'limit')).toHaveLength(1);
  });

  test('refuse the 101st of a task [runs-14.4, tools-8.8]', async () => {
    let asked = 0;
    const many = 'llmBatch(Array.from({ length: 50 }, (_, n) => "question " + n)).length';
    const { rows } = await play({
      prompt: long,
      rlm: { maxSubcallsPerIteration: 200 },
      plainAnswer: () => {
        asked += 1;
        return 'ok';
      },
      steps: [repl(many), repl(many), repl('try { llm("q") } catch (e) { [e.limit, e.left] }'), done],
    });
    expect(ofType(rows, 'output').at(-1)?.text).toBe('["A2A_RLM_MAX_TOTAL_SUBCALLS",0]\n');
    expect(asked).toBe(100);
    expect(rows.at(-1)).toMatchObject({ subcalls: 100 });
  });

  test('refuse a batch as a whole before any call', async () => {
    let asked = 0;
    const { rows } = await play({
      prompt: long,
      plainAnswer: () => {
        asked += 1;
        return 'ok';
      },
      steps: [repl('llm("1"); try { llmBatch(["2", "3", "4", "5", "6"]) } catch (e) { [e.limit, e.left] }'), done],
    });
    expect(ofType(rows, 'output')[0]?.text).toBe('["A2A_RLM_MAX_SUBCALLS_PER_ITERATION",4]\n');
    expect(asked).toBe(1);
  });

  test('refuse a prompt that is too long', async () => {
    const { rows } = await play({
      prompt: long,
      plainAnswer: answerOk,
      rlm: { maxPromptChars: 1_000 },
      steps: [repl('try { llm("q", "x".repeat(1000)) } catch (e) { e.limit }'), done],
    });
    expect(ofType(rows, 'output')[0]?.text).toBe('A2A_RLM_MAX_PROMPT_CHARS\n');
  });

  test('put an error in the place of a member that fails, and throw it for a single call', async () => {
    const { rows } = await play({
      prompt: long,
      plainAnswer: (raw) => (lastUserText(raw).includes('bad') ? 400 : lastUserText(raw).toUpperCase()),
      steps: [
        repl('const a = llmBatch(["one", "bad", "two"]); [a[0], typeof a[1].error, a[2]]'),
        repl('llm("bad")'),
        done,
      ],
    });
    expect(ofType(rows, 'output')[0]?.text).toBe('["ONE","string","TWO"]\n');
    expect(ofType(rows, 'output')[1]).toMatchObject({ ok: false, text: expect.stringContaining('rejected') });
  });

  test('sub-calls have no tools and only the text of their prompt', async () => {
    const raws: string[] = [];
    await play({
      prompt: `SECRET-OF-THE-PROMPT ${long}`,
      plainAnswer: (raw) => {
        raws.push(raw);
        return 'ok';
      },
      steps: [repl('llm("Is it red?", "the text"); rlm("deep question", "the other text")'), done],
    });
    expect(raws.map(lastUserText)).toEqual(['Is it red?\n\nthe text', 'deep question\n\nthe other text']);
    for (const raw of raws) expect(raw).not.toMatch(/SECRET-OF-THE-PROMPT|"tools"/);
  });
});

describe('a sub-call with a REPL', () => {
  const deeper: PlainAnswer = (raw) => {
    const text = lastUserText(raw);
    if (text.startsWith('Output:')) return text.slice('Output:'.length).trim();
    if (text.startsWith('plain')) return 'plain answer';
    return '```js\nprint(context[0].length, typeof files.read, rlm("plain question", "t"));\ntry { files.list() } catch (e) { print(e.message) }\n```';
  };

  test('is opened below A2A_RLM_MAX_DEPTH and has no files', async () => {
    const { rows } = await play({
      prompt: long,
      rlm: { maxDepth: 2 },
      plainAnswer: deeper,
      steps: [repl('rlm("How long is it?", "x".repeat(5000))'), done],
    });
    expect(ofType(rows, 'output')[0]?.text).toBe('5000 function plain answer\nSub-calls have no files.\n');
    // The call of `rlm`, the plain call in it, and the second turn of its model.
    expect(rows.at(-1)).toMatchObject({ subcalls: 3 });
  });

  test('gets what is left: a limit ends it', async () => {
    const { rows } = await play({
      prompt: long,
      rlm: { maxDepth: 2, maxTotalSubcalls: 2 },
      plainAnswer: deeper,
      steps: [repl('try { rlm("How long is it?", "x".repeat(5000)) } catch (e) { e.limit }'), done],
    });
    expect(ofType(rows, 'output')[0]?.text).toBe('A2A_RLM_MAX_TOTAL_SUBCALLS\n');
  });
});

describe('the end', () => {
  test('after the last block is one more turn with "answer now", and the answer is truncated [runs-14.5]', async () => {
    const { outcome, requests, rows } = await play({
      prompt: long,
      rlm: { maxIterations: 2 },
      steps: [repl('1'), repl('2'), ({ raw }) => ({ reply: raw.includes('answer now') ? 'Late answer.' : 'early' })],
    });
    expect(outcome).toMatchObject({ status: 'completed', result: 'Late answer.' });
    expect(requests.map(({ raw }) => raw.includes('answer now'))).toEqual([false, false, true]);
    expect(rows.at(-1)).toEqual({ type: 'end', blocks: 2, subcalls: 0, truncated: true });
  });

  test('without an answer is rlm_no_answer with the best draft [runs-14.5]', async () => {
    const { outcome, rows } = await play({
      prompt: long,
      rlm: { maxIterations: 1 },
      steps: [repl('answer("first"); answer("the draft")'), repl('never run')],
    });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'rlm_no_answer' }, result: 'the draft' });
    expect(rows.at(-1)).toMatchObject({ blocks: 1, truncated: true });
  });

  test('comes with the budget of tokens', async () => {
    const { outcome, rows } = await play({
      prompt: long,
      rlm: { maxTokens: 150 },
      steps: [repl('1'), repl('2'), { reply: 'With what I have.' }],
    });
    expect(outcome).toMatchObject({ status: 'completed', result: 'With what I have.' });
    expect(rows.at(-1)).toEqual({ type: 'end', blocks: 1, subcalls: 0, truncated: true });
  });

  test('keeps the record when the attempt fails', async () => {
    const { outcome, rows } = await play({ prompt: long, steps: [repl('answer("half")'), { refuse: 401 }] });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'model_refused' } });
    expect(rows.at(-1)).toMatchObject({ type: 'end', blocks: 1, truncated: true });
  });

  test('of a thread does not end the attempt: variables are gone, the context is there', async () => {
    const { outcome, rows, record } = await play({
      prompt: long,
      rlm: { blockSeconds: 0.5 },
      steps: [
        repl('let before = 1; answer("a draft")'),
        repl('"a".repeat(2e6).indexOf("a".repeat(1e6) + "b")'),
        repl('print(typeof before, context[0].length)'),
        tell,
      ],
    });
    expect(ofType(rows, 'output')[1]).toMatchObject({ killed: true });
    expect(outcome.result).toBe(`undefined ${long.length}`);
    const replay = await replayRlm({
      record,
      parts: new Map([['prompt', long]]),
      settings: defaultRlmSettings,
      signal,
    });
    expect(replay).toEqual({ answer: outcome.result, differences: [] });
  });
});

describe('files in the REPL', () => {
  const prepare = async (fixture: RunFixture): Promise<void> => {
    await fixture.write('src/a.txt', 'one\ntwo needle\n');
    await mkdir(join(fixture.root, 'outside'));
    await writeFile(join(fixture.root, 'outside', 'secret.txt'), 'planted secret needle');
    await symlink(join(fixture.root, 'outside', 'secret.txt'), join(fixture.repo, 'link.txt'));
    await symlink(join(fixture.root, 'outside'), join(fixture.repo, 'folder'));
  };

  test('are read, listed and searched as they are', async () => {
    const { rows } = await play({
      prompt: long,
      prepare,
      steps: [repl('[files.read("src/a.txt"), files.list(), files.search("needle")]'), done],
    });
    const expected = ['one\ntwo needle\n', ['src/a.txt'], [{ path: 'src/a.txt', line: 1, text: 'two needle' }]];
    expect(ofType(rows, 'output')[0]?.text).toBe(`${JSON.stringify(expected)}\n`);
  });

  test.each(['../outside/secret.txt', '/etc/passwd', 'link.txt', 'folder/secret.txt', '.git/config', 'src/../../x'])(
    '%s throws',
    async (path) => {
      const read = `try { files.read(${JSON.stringify(path)}) } catch (e) { "refused: " + e.message }`;
      const { rows, record } = await play({ prompt: long, prepare, steps: [repl(read), done] });
      expect(ofType(rows, 'output')[0]?.text).toMatch(/^refused: /);
      expect(record).not.toContain('planted secret');
    },
  );
});

describe('a record', () => {
  test('replays by what it says: another part or another call is found [runs-14.6]', async () => {
    const { record } = await play({
      prompt: long,
      plainAnswer: () => 'red',
      steps: [repl('const colour = llm("Which colour?"); answer(colour); colour'), tell],
    });
    const parts = new Map([['prompt', long]]);
    const options = { parts, settings: defaultRlmSettings, signal };
    expect(await replayRlm({ ...options, record })).toEqual({ answer: 'red', differences: [] });
    const other = record.replace('Which colour?', 'Which shape?');
    expect((await replayRlm({ ...options, record: other })).differences).toEqual([1]);
    await expect(replayRlm({ ...options, record, parts: new Map([['prompt', 'x']]) })).rejects.toThrow('not the one');
    await expect(replayRlm({ ...options, record, parts: new Map() })).rejects.toThrow('missing');
    await expect(replayRlm({ ...options, record: '{"type":"other"}\n' })).rejects.toThrow(z.ZodError);
  });
});
