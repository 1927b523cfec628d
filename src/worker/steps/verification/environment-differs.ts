// Distinguishes a gate that the candidate broke from one that is red on this machine anyway. runs-10.
import type { StepGateWire } from '../../../contracts/step.ts';
import { openBaselineStore } from '../../gates/baseline-store.ts';
import type { GateMachine } from '../../gates/run-gate.ts';
import { installDependencies } from './install-dependencies.ts';
import { openStepTree } from '../open-step-tree.ts';
import { gateJobs, runGates } from './run-gates.ts';
import type { StepContext } from '../step-context.ts';

/** Runs gates at the run's base on this worker. @returns ids of those that fail */
async function runBaseline(
  context: StepContext,
  machine: GateMachine,
  gates: readonly StepGateWire[],
): Promise<ReadonlySet<string | null>> {
  const { step } = context;
  const commit = step.run_base;
  await using tree = await openStepTree(context, { commit, copy: step.copy, name: 'baseline' });
  const { home } = await installDependencies(context, machine, { tree, commit, setup: step.setup ?? [] });
  const outcomes = await runGates(context, machine, { tree, home, jobs: gateJobs(gates, context), again: true });
  return new Set(outcomes.filter(({ result }) => !result.passed).map(({ result }) => result.gate_id));
}

/**
 * @param red gates that fail on the candidate
 * @returns ids of those that fail at the run's base on this worker too, and passed there on the home worker
 */
export async function findEnvironmentDifferences(
  context: StepContext,
  machine: GateMachine,
  red: readonly StepGateWire[],
): Promise<string[]> {
  const { step, stateDir } = context;
  const store = openBaselineStore(stateDir);
  const keyOf = ({ command }: StepGateWire): { commit: string; command: string; setup: readonly string[] } => ({
    commit: step.run_base,
    command,
    setup: step.setup ?? [],
  });
  const greenAtHome = red.filter(({ id }) => step.baseline.some(({ gate_id: gate, passed }) => gate === id && passed));
  const known = await Promise.all(greenAtHome.map(async (gate) => ({ gate, passed: await store.find(keyOf(gate)) })));
  // A machine that was red may have been mended since: only what was green is believed.
  const unknown = known.filter(({ passed }) => passed !== true).map(({ gate }) => gate);
  const failing = unknown.length === 0 ? new Set<string | null>() : await runBaseline(context, machine, unknown);
  for (const gate of unknown) await store.keep(keyOf(gate), !failing.has(gate.id));
  return unknown.filter((gate) => failing.has(gate.id)).map(({ id }) => id);
}
