// The director of runs: looks at runs that are due, and at once at those whose step has ended.
import { DomainError } from '../../model/errors.ts';
import type { TopicSubscriber } from '../../events/topic-subscribers.ts';
import type { DueRun } from '../../ports/store/cross-tenant-queries.ts';
import type { Wake } from '../../ports/wake.ts';
import type { DirectorDeps } from './director-deps.ts';
import { lookAtRun, type LookResult } from './look-at-run.ts';
import { runTopic } from '../step-task.ts';
import { Turns } from './turns.ts';

const batchSize = 100;
/** The interval of searches through the steps: they find ended tasks that neither a hint nor a message announced. */
const repairMs = 60_000;
/** Without a tick for this long, another replica directs. */
const leadMs = 5_000;
/** Looks on hints at once; each has a connection. */
const maxLooksAtOnce = 4;
const firstDelayMs = 1_000;
const longestDelayMs = 300_000;

interface Failure {
  readonly count: number;
  readonly until: number;
}

interface StepTaskId {
  readonly tenantId: string;
  readonly taskId: string;
}

export class RunDirector implements AsyncDisposable {
  readonly #deps: DirectorDeps;
  readonly #elapsedMs: () => number;
  readonly #stopListening: () => void;
  /** Tenants of the open steps' tasks, by task. */
  readonly #openTasks = new Map<string, string>();
  /**
   * Tasks announced while a look was under way, that nobody had opened yet: the look may be about to return them. Its
   * commit lets a worker finish a step before the look itself has returned.
   */
  readonly #early = new Set<string>();
  #looking = 0;
  /** Announced tasks that wait for their look, by task. */
  readonly #announced = new Map<string, StepTaskId>();
  readonly #looks = new Set<Promise<void>>();
  readonly #turns = new Turns();
  readonly #failures = new Map<string, Failure>();
  #ledAtMs = Number.NEGATIVE_INFINITY;
  #repairedAtMs = Number.NEGATIVE_INFINITY;
  #closed = false;

  /** @param elapsedMs milliseconds by a clock that is never set back */
  constructor(deps: DirectorDeps, elapsedMs: () => number) {
    this.#deps = deps;
    this.#elapsedMs = elapsedMs;
    this.#stopListening = deps.wake.listen((wake) => this.#onHint(wake));
  }

  /** Hears of ended steps durably; hints are faster and may be lost. */
  get subscriber(): TopicSubscriber {
    return {
      topic: runTopic,
      handle: async ({ tenantId, taskId }) => {
        await this.#lookAtTask({ tenantId, taskId });
      },
    };
  }

  /** One round: looks at the runs that are due. @returns how many changed */
  async tick(signal?: AbortSignal): Promise<number> {
    const { crossTenant } = this.#deps;
    const isNew = this.#elapsedMs() - this.#ledAtMs > leadMs;
    this.#ledAtMs = this.#elapsedMs();
    const due = await crossTenant.dueRuns(batchSize);
    if (isNew || this.#elapsedMs() - this.#repairedAtMs >= repairMs) {
      this.#repairedAtMs = this.#elapsedMs();
      due.push(...(await crossTenant.runsWithEndedSteps(batchSize)));
      this.#openTasks.clear();
      for (const { tenantId, taskId } of await crossTenant.openStepTasks()) this.#openTasks.set(taskId, tenantId);
    }
    let changed = 0;
    for (const run of due) {
      if (signal?.aborted === true) break;
      this.#ledAtMs = this.#elapsedMs();
      if (await this.#lookSafely(run)) changed += 1;
    }
    return changed;
  }

  #onHint(wake: Wake): void {
    if (wake.kind !== 'task' || this.#closed) return;
    if (this.#elapsedMs() - this.#ledAtMs > leadMs) return;
    if (this.#openTasks.has(wake.taskId)) {
      this.#announced.set(wake.taskId, wake);
      this.#startLooks();
    } else if (this.#looking > 0) this.#early.add(wake.taskId);
  }

  #startLooks(): void {
    for (const [taskId, announced] of this.#announced) {
      if (this.#looks.size >= maxLooksAtOnce) return;
      this.#announced.delete(taskId);
      // Owned: it never rejects, and closing waits for it.
      const look: Promise<void> = this.#lookOnHint(announced).finally(() => {
        this.#looks.delete(look);
        if (!this.#closed) this.#startLooks();
      });
      this.#looks.add(look);
    }
  }

  async #lookOnHint(announced: StepTaskId): Promise<void> {
    try {
      await this.#lookAtTask(announced);
    } catch (error) {
      this.#deps.log('failed to look at a run whose step ended; the message of its topic repeats it', {
        task_id: announced.taskId,
        error,
      });
    }
  }

  /** @throws DomainError unavailable `run_held`: who holds the run may not know that the step has ended */
  async #lookAtTask({ tenantId, taskId }: StepTaskId): Promise<void> {
    const runId = await this.#deps.store.within({ tenantId }, (rows) => rows.runSteps.runToLook(taskId));
    if (runId === undefined) return;
    const outcome = await this.#look({ tenantId, runId });
    if (outcome !== 'held') return;
    throw new DomainError('unavailable', 'run_held', `The run ${runId} is being changed. Look at it again.`);
  }

  /** Looks at one run wait for each other, so that none finds the run held by another of this replica. */
  #look(run: DueRun): Promise<LookResult['outcome']> {
    return this.#turns.take(run.runId, () => this.#lookInTurn(run));
  }

  async #lookInTurn(run: DueRun): Promise<LookResult['outcome']> {
    this.#looking += 1;
    try {
      const result = await lookAtRun(this.#deps, run);
      const opened = result.outcome === 'changed' ? result.opened : [];
      for (const taskId of opened) this.#addOpenTask({ tenantId: run.tenantId, taskId });
      return result.outcome;
    } finally {
      this.#looking -= 1;
      if (this.#looking === 0) this.#early.clear();
    }
  }

  #addOpenTask(task: StepTaskId): void {
    this.#openTasks.set(task.taskId, task.tenantId);
    if (!this.#early.delete(task.taskId) || this.#closed) return;
    this.#announced.set(task.taskId, task);
    this.#startLooks();
  }

  /** A run whose look fails is left alone for a growing time, so that it does not keep the others waiting. */
  async #lookSafely(run: DueRun): Promise<boolean> {
    const failure = this.#failures.get(run.runId);
    if (failure !== undefined && failure.until > this.#elapsedMs()) return false;
    try {
      const changed = (await this.#look(run)) === 'changed';
      this.#failures.delete(run.runId);
      return changed;
    } catch (error) {
      const count = (failure?.count ?? 0) + 1;
      const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(count, 20));
      this.#failures.set(run.runId, { count, until: this.#elapsedMs() + delayMs });
      this.#deps.log(`failed to look at a run; will retry in ${delayMs / 1000} s`, { run_id: run.runId, error });
      return false;
    }
  }

  /** Waits for looks in progress. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#stopListening();
    await Promise.all(this.#looks);
  }
}
