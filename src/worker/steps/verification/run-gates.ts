// Runs gates and checks in one working tree, one after the other, and what failed once more. runs-10.
import type { GateResultWire, StepDescriptorWire, StepGateWire } from '../../../contracts/step.ts';
import { readTests } from '../../gates/read-counts.ts';
import { runGateCommand, type GateMachine, type GateRun } from '../../gates/run-gate.ts';
import { textTail } from '../../process/text.ts';
import type { StepTree } from '../open-step-tree.ts';
import type { StepContext } from '../step-context.ts';

/** A command to run, and what its result is reported as. */
export interface GateJob {
  readonly gateId: string | null;
  readonly criterion: number | null;
  readonly command: string;
  readonly timeoutMs: number;
  readonly network: boolean;
  readonly before?: GateResultWire['before'];
}

export interface GateOutcome {
  readonly result: GateResultWire;
  /** Names of failed tests, as far as a reader knows the output. */
  readonly failedTests: readonly string[];
}

export interface GateRound {
  readonly tree: StepTree;
  /** A folder with the content that set-up left in its home; undefined: nothing. */
  readonly home: string | undefined;
  readonly jobs: readonly GateJob[];
  /** Whether a command that failed is run once more. */
  readonly again: boolean;
}

const tailChars = 4_000;

export function gateJobs(gates: readonly StepGateWire[], { gates: settings }: StepContext): GateJob[] {
  return gates.map(({ id, command, timeout_seconds: seconds, network }) => ({
    gateId: id,
    criterion: null,
    command,
    timeoutMs: seconds === null ? settings.timeoutMs : Math.min(seconds * 1000, settings.timeoutMs * 4),
    network: network ?? settings.network,
  }));
}

export function checkJobs(
  { checks, checks_before: known }: Pick<StepDescriptorWire, 'checks' | 'checks_before'>,
  { gates: { timeoutMs, network } }: StepContext,
): GateJob[] {
  return checks.map(({ story_id: story, criterion, command }) => {
    const found = known.find((one) => one.story_id === story && one.criterion === criterion && one.command === command);
    const before = found === undefined ? 'unknown' : found.passed ? 'passed' : 'failed';
    return { gateId: null, criterion, command, timeoutMs, network, before };
  });
}

/** Files of the tree by their paths in the repository: where this machine keeps the tree helps no reader. */
function relativePaths(output: string, root: string): string {
  return output.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '').replaceAll(root, '.');
}

function toOutcome(job: GateJob, run: GateRun, isSecondRun: boolean): GateOutcome {
  const tests = readTests(run.output);
  const passed = run.exitCode === 0;
  return {
    failedTests: tests?.failed ?? [],
    result: {
      gate_id: job.gateId,
      criterion: job.criterion,
      command: job.command,
      exit_code: run.exitCode,
      passed,
      flaky: passed && isSecondRun,
      timed_out: run.timedOut,
      seconds: run.seconds,
      ...(tests === undefined ? {} : { counts: tests.counts }),
      tail: textTail(run.output, tailChars),
      ...(job.before === undefined ? {} : { before: job.before }),
    },
  };
}

async function report({ emit }: StepContext, { result }: GateOutcome): Promise<void> {
  const how = result.timed_out ? 'time limit' : `exit ${result.exit_code ?? 'by a signal'}`;
  const flaky = result.flaky ? ', in the second run' : '';
  await emit({ type: 'progress', message: `${result.command}: ${how}${flaky}, ${result.seconds} s` });
}

/**
 * @returns an outcome for each job, in their order; a command that several name is run once
 */
export async function runGates(
  context: StepContext,
  machine: GateMachine,
  { tree, home, jobs, again: mayRepeat }: GateRound,
): Promise<GateOutcome[]> {
  const outcomes: GateOutcome[] = [];
  const ran = new Map<string, GateRun & { readonly again: boolean }>();
  for (const job of jobs) {
    const { command, timeoutMs, network } = job;
    const once = (): Promise<GateRun> =>
      runGateCommand(machine, {
        command,
        path: tree.path,
        gitFolders: tree.gitFolders,
        timeoutMs,
        network,
        home,
        preload: true,
      });
    const key = JSON.stringify([command, timeoutMs, network]);
    let run = ran.get(key);
    if (run === undefined) {
      const first = await once();
      // A command that reached its limit would take as long again.
      const again = mayRepeat && first.exitCode !== 0 && !first.timedOut;
      const last = again ? await once() : first;
      run = { ...last, output: relativePaths(last.output, tree.path), again };
      ran.set(key, run);
    }
    const outcome = toOutcome(job, run, run.again);
    outcomes.push(outcome);
    await report(context, outcome);
  }
  return outcomes;
}
