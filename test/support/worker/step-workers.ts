// Workers that run steps, each in its own repository, and the store of artifacts through which their commits travel.
import { randomUUID } from 'node:crypto';
import {
  type GateResultWire,
  type ImplementResultWire,
  type StepDescriptorWire,
  type StepResultWire,
  stepResult,
} from '../../../src/contracts/step.ts';
import type { WorkerTask } from '../../../src/contracts/worker.ts';
import type { AgentAdapter } from '../../../src/worker/agents/adapter/adapter.ts';
import { commandAgent } from '../../../src/worker/agents/programs/command.ts';
import { InterventionHandler } from '../../../src/worker/attempt/intervention-handler.ts';
import type { TaskOutcome } from '../../../src/worker/report/task-outcome.ts';
import { writeStoryCommit } from '../../../src/worker/steps/story-commit.ts';
import { createStepRunner, type StepRunnerOptions } from '../../../src/worker/steps/dispatch/run-step.ts';
import { buildWorkerTask } from '../builders/worker-task.ts';
import { artifactOf, type RunFixture } from './run-fixture.ts';
import { buildStep } from './step-fixture.ts';

export interface WorkedStep {
  readonly taskId: string;
  readonly outcome: TaskOutcome;
  /** The artifact `step`; undefined where the task has none. */
  readonly result: StepResultWire | undefined;
}

interface Service {
  /** Contents of the artifacts `bundle` by task id, and of the bundles of finished runs by run id. */
  readonly bundles: Map<string, Buffer>;
  /** The number of bundle downloads. */
  downloads: number;
}

export function openStepService(): Service {
  return { bundles: new Map(), downloads: 0 };
}

/** Gates that are green for every commit, and make the story's commit as the real ones do. */
const greenGates: StepRunnerOptions['gateSteps'] = {
  prepare: () => Promise.reject(new Error('not in this test')),
  async check(context) {
    const { base, candidate } = context.step;
    const tree = await context.git.line(['rev-parse', `${candidate ?? base}^{tree}`], { cwd: context.repository.root });
    const commit = await writeStoryCommit(context, { tree, parent: base, results: [] });
    return {
      kind: 'check',
      commit,
      tree,
      results: [],
      protected: [],
      protected_diff: '',
      failing_base_tests: [],
      fewer_tests: null,
      suppressions: [],
      no_change: false,
      environment_differs: [],
      verdict: 'ok',
      code: null,
    };
  },
  setUp: () => Promise.resolve([]),
  verify: () => Promise.resolve({ results: [], verdict: 'ok', code: null, environment_differs: [] }),
};

export interface StepWorker {
  /** Runs a step; `prompt` is the agent's, for the agent `command`. */
  run(step: Partial<StepDescriptorWire>, task?: Partial<WorkerTask>, signal?: AbortSignal): Promise<WorkedStep>;
}

/** A worker on the fixture's repository. */
export function openStepWorker(
  fixture: RunFixture,
  service: Service,
  options: Partial<StepRunnerOptions> & { agents?: readonly AgentAdapter[] } = {},
): StepWorker {
  const runStep = createStepRunner({
    stateDir: fixture.stateDir,
    clones: { from: [], timeoutMs: 60_000, push: false },
    gitTimeoutMs: 60_000,
    env: fixture.env,
    passEnv: [],
    privatePaths: [],
    secrets: [],
    containment: { kind: 'none' },
    killGraceMs: 300,
    gates: { mode: 'unconfined', network: false, setupNetwork: false, timeoutMs: 60_000, memoryMb: 1024 },
    client: {
      downloadArtifact(taskId) {
        service.downloads += 1;
        return Promise.resolve(service.bundles.get(taskId));
      },
      downloadRunBundle: (runId) => Promise.resolve(service.bundles.get(runId) ?? Buffer.alloc(0)),
    },
    agents: [commandAgent],
    agentHome: 'user',
    timeoutMs: 120_000,
    modelPatienceMs: 60_000,
    maxOutputBytes: 1_000_000,
    prices: { as_of: '2026-01-01', models: {} },
    gateSteps: greenGates,
    keepMs: 1e15,
    now: () => 0,
    ...options,
  });
  return {
    async run(fields, taskFields = {}, signal = new AbortController().signal) {
      const step = buildStep(fields);
      const task = { ...buildWorkerTask({ id: randomUUID(), ...taskFields }), step };
      const chunks: Buffer[] = [];
      const outcome = await runStep({
        task,
        binding: { codebaseId: 'c', path: fixture.repo, mode: 'worktree' },
        workerId: '01890000-0000-7000-8000-0000000000cc',
        emit: (event) => {
          fixture.events.push(event);
          if (event.type === 'artifact') chunks.push(Buffer.from(event.bytes ?? '', 'base64'));
          return Promise.resolve();
        },
        interventions: new InterventionHandler({ task, answer: () => undefined, cancel: () => undefined }),
        signal,
      });
      if (chunks.length > 0) service.bundles.set(task.id, Buffer.concat(chunks));
      const data = artifactOf(outcome, 'step')?.data;
      return { taskId: task.id, outcome, result: data === undefined ? undefined : stepResult.parse(data) };
    },
  };
}

/** The answer of an implement or resolve. */
export function implemented(result: StepResultWire | undefined): ImplementResultWire {
  if (result?.kind !== 'implement' && result?.kind !== 'resolve') {
    throw new Error(`the step answered ${String(result?.kind)}`);
  }
  return result;
}

/** The result of a gate, for tests that need a red one. */
export function redGate(id: string): GateResultWire {
  return {
    gate_id: id,
    criterion: null,
    command: id,
    exit_code: 1,
    passed: false,
    flaky: false,
    timed_out: false,
    seconds: 0,
    tail: '',
  };
}
