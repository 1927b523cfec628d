// Runs one task in a folder, as a worker does; to be killed meanwhile. Its one argument is JSON.
import { z } from 'zod';
import { commandAgent } from '../../../../src/worker/agents/programs/command.ts';
import { executeTask } from '../../../../src/worker/attempt/execute.ts';
import { buildRunTask } from '../../../support/worker/run-fixture.ts';

const containment = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cgroup'), parent: z.string() }),
  z.object({ kind: z.literal('subreaper'), perl: z.string() }),
  z.object({ kind: z.literal('none') }),
]);
const settings = z
  .object({ containment, prompt: z.string(), path: z.string(), stateDir: z.string() })
  .parse(JSON.parse(process.argv[2] ?? ''));
const { prompt, path, stateDir } = settings;
await executeTask(buildRunTask({ prompt }), {
  agent: commandAgent,
  binding: { codebaseId: 'c', path, mode: 'in_place' },
  stateDir,
  prices: { as_of: '2026-01-01', models: {} },
  timeoutMs: 120_000,
  gitTimeoutMs: 60_000,
  clones: { from: [], timeoutMs: 60_000, push: false },
  maxOutputBytes: 1_000_000,
  killGraceMs: 300,
  env: process.env,
  passEnv: [],
  agentHome: 'user',
  containment: settings.containment,
  emit: () => Promise.resolve(),
  signal: new AbortController().signal,
});
