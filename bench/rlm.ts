// Measures the REPL for large contexts: five tasks on a scripted model, or on a real one beside a plain call.
import { parseArgs } from 'node:util';
import { Repl } from '../src/worker/agents/model/rlm/repl/repl.ts';
import { rlmRow, type RlmRow } from '../src/worker/agents/model/rlm/rlm-record.ts';
import { defaultRlmSettings } from '../src/worker/agents/model/rlm/rlm-settings.ts';
import { estimateTokens } from '../src/worker/agents/model/rlm/token-estimate.ts';
import { modelAgent } from '../src/worker/agents/model/model-agent.ts';
import type { TaskOutcome } from '../src/worker/report/task-outcome.ts';
import { createRlmTasks, rlmPrompt, type RlmTask } from '../test/support/agents/rlm-tasks.ts';
import { startScriptedModel } from '../test/support/agents/scripted-model.ts';
import { artifactOf, openRunFixture } from '../test/support/worker/run-fixture.ts';

const { values: flags } = parseArgs({
  options: { endpoint: { type: 'string' }, model: { type: 'string', default: 'm1' }, key: { type: 'string' } },
});

const sizes = {
  needleChars: 10_000_000,
  labelledLines: 10_000,
  pairItems: 500,
  documents: 200,
  repositoryFiles: 400,
};

interface Run {
  readonly outcome: TaskOutcome;
  readonly rows: readonly RlmRow[];
  readonly ms: number;
}

async function runTask(task: RlmTask, url: string, rlm: 'always' | 'never'): Promise<Run> {
  await using fixture = await openRunFixture();
  for (const [path, text] of Object.entries(task.files)) await fixture.write(path, text);
  const limits = { maxSteps: 100, maxTokens: 50_000_000, shell: 'off', shellNetwork: false } as const;
  const settings = { endpoint: url, apiKey: flags.key, model: flags.model, ...limits, rlm: defaultRlmSettings };
  const agent = modelAgent(settings, { fetch, sandbox: undefined, hidden: [fixture.stateDir] });
  const begun = performance.now();
  const given = { prompt: rlmPrompt(task), agent_type: 'explore', metadata: { rlm } };
  const outcome = await fixture.execute(given, { agent, timeoutMs: 1_800_000 });
  const ms = performance.now() - begun;
  const record = artifactOf(outcome, 'rlm')?.text ?? '';
  const rows = record.split('\n').flatMap((line) => (line === '' ? [] : [rlmRow.parse(JSON.parse(line))]));
  return { outcome, rows, ms };
}

function tokensOf({ usage }: TaskOutcome): number {
  return (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MB`;
}

/** The scripted model does not count tokens, so the tokens of its requests are estimated. */
async function runScripted(task: RlmTask): Promise<string> {
  let sent = 0;
  await using model = await startScriptedModel(task.steps, (raw) => {
    sent += estimateTokens(raw);
    return task.plainAnswer(raw);
  });
  const { outcome, rows, ms } = await runTask(task, `${model.url}/v1`, 'always');
  for (const { raw } of model.requests) sent += estimateTokens(raw);
  const end = rows.at(-1);
  const counted = end?.type === 'end' ? `${end.blocks} iterations, ${end.subcalls} sub-calls` : 'no record';
  const all = [rlmPrompt(task), ...Object.values(task.files)].reduce((sum, text) => sum + estimateTokens(text), 0);
  const exact = outcome.result === task.expected ? 'exact' : `WRONG: ${String(outcome.result ?? outcome.error?.code)}`;
  return `${task.name}: ${exact}, ${counted}, ${Math.round(sent)} tokens sent against ${Math.round(all)} of all text, ${Math.round(ms)} ms`;
}

async function runReal(task: RlmTask, url: string): Promise<string> {
  const lines: string[] = [];
  for (const rlm of ['always', 'never'] as const) {
    const { outcome, rows, ms } = await runTask(task, url, rlm);
    const end = rows.at(-1);
    const counted = end?.type === 'end' ? `, ${end.blocks} iterations, ${end.subcalls} sub-calls` : '';
    const exact =
      outcome.result?.trim() === task.expected ? 'exact' : `not exact (${outcome.error?.code ?? 'answered'})`;
    lines.push(
      `${rlm === 'always' ? 'REPL' : 'plain call'} ${exact}, ${tokensOf(outcome)} tokens${counted}, ${Math.round(ms)} ms`,
    );
  }
  return `${task.name}: ${lines.join(' | ')}`;
}

/** Measures the REPL itself, without a model. */
async function measureRepl(): Promise<string> {
  const text = 'The grass is green, the sky is blue.\n'.repeat(270_271).slice(0, 10_000_000);
  await using repl = new Repl({
    memoryMb: defaultRlmSettings.memoryMb,
    blockMs: 60_000,
    maxOutputChars: 10_000,
    answerCall: () => Promise.resolve({ value: 'answer' }),
    signal: new AbortController().signal,
  });
  const timed = async (code: string): Promise<number> => {
    const begun = performance.now();
    await repl.run(code);
    return performance.now() - begun;
  };
  const start = await timed('1');
  const before = process.memoryUsage().rss;
  const begun = performance.now();
  repl.addPart({ name: 'text', text });
  await repl.run('context[0].length');
  const injected = performance.now() - begun;
  const held = await timed('const held = context[0].slice(); held.length');
  const blocks: number[] = [];
  for (let n = 0; n < 200; n += 1) blocks.push(await timed('1 + 1'));
  const calls: number[] = [];
  for (let n = 0; n < 200; n += 1) calls.push(await timed('llm("q")'));
  const median = (list: number[]): string => (list.toSorted((a, b) => a - b)[100] ?? 0).toFixed(2);
  const added = process.memoryUsage().rss - before;
  return [
    `REPL: opened in ${start.toFixed(0)} ms; 10 MB added in ${injected.toFixed(0)} ms, held as one string in ${held.toFixed(0)} ms`,
    `REPL: a block ${median(blocks)} ms, a block with one call ${median(calls)} ms (medians of 200; goal: at most 5 ms)`,
    `REPL: ${megabytes(added)} more memory with the 10 MB in it`,
  ].join('\n');
}

process.stdout.write(`${await measureRepl()}\n`);
for (const task of createRlmTasks(sizes)) {
  const line = flags.endpoint === undefined ? await runScripted(task) : await runReal(task, flags.endpoint);
  process.stdout.write(`${line}\n`);
}
