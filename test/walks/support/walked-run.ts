// An autonomous run as a user follows it: created over REST, followed by its own event stream, answered, read.
import type { RunWire } from '../../../src/contracts/ralph/run.ts';
import { openStream, type Frame } from '../../support/client/sse.ts';
import { until } from '../../support/until.ts';
import { script } from '../../support/worker/local-worker.ts';
import type { WalkContext } from './walk-context.ts';

/** The longest time of a run. */
const patienceMs = 120_000;
const over = new Set(['completed', 'failed', 'cancelled']);

interface NewStory {
  readonly id: string;
  readonly acceptanceCriteria: readonly string[];
  readonly checks?: readonly { criterion?: number; command: string }[];
  readonly description?: string;
}

/** A story that the agent `command` implements by these lines. */
export function shellStory(id: string, lines: readonly string[], ...acceptanceCriteria: string[]): NewStory {
  return { id, acceptanceCriteria, description: `As a user I have ${id}.\n${script(...lines)}` };
}

export class WalkedRun {
  readonly id: string;
  readonly #on: WalkContext;

  private constructor(on: WalkContext, id: string) {
    this.#on = on;
    this.id = id;
  }

  static async create(
    on: WalkContext,
    codebaseId: string,
    stories: readonly NewStory[],
    options: Record<string, unknown> = {},
  ): Promise<WalkedRun> {
    const userStories = stories.map((story) => ({
      title: `Story ${story.id}`,
      description: `As a user I have ${story.id}.`,
      ...story,
    }));
    const prd = { project: 'Calculator', branchName: 'work', description: 'More arithmetic.', userStories };
    return WalkedRun.of(on, { codebase_id: codebaseId, prd, ...options });
  }

  static async of(on: WalkContext, body: Record<string, unknown>): Promise<WalkedRun> {
    const made = await on.must(201, 'POST', '/v1/ralph/runs', { body });
    return new WalkedRun(on, made.run_id);
  }

  get where(): string {
    return `/v1/ralph/runs/${this.id}`;
  }

  async read(): Promise<RunWire> {
    return (await this.#on.must(200, 'GET', this.where)).run;
  }

  /** @returns the run after a command to it: cancel, pause, resume, answer */
  async steer(verb: string, body: Record<string, unknown> = {}): Promise<RunWire> {
    return (await this.#on.must(200, 'POST', `${this.where}/${verb}`, { body })).run;
  }

  /** The first event that is looked for, stored or when it comes. @throws Error with the run when it ends before */
  async seen(what: string, isIt: (event: Frame) => boolean): Promise<Frame> {
    const frames = await this.#frames(isIt);
    const found = frames.find((frame) => isIt(frame));
    if (found !== undefined) return found;
    throw new Error(`there was no ${what}: ${JSON.stringify(await this.read())}`);
  }

  /** Waits until a story is in a phase. */
  async inPhase(phase: string, storyId: string): Promise<void> {
    await this.seen(
      `phase ${phase} of ${storyId}`,
      ({ event, data }) => event === 'story' && data.data.phase === phase && data.data.story_id === storyId,
    );
  }

  /** Waits for the only open question of a kind. */
  async question(kind: string): Promise<RunWire['questions'][number]> {
    await this.seen(`question ${kind}`, ({ event, data }) => event === 'question' && data.data.question.kind === kind);
    const { questions, status } = await this.read();
    const [question] = questions;
    if (question === undefined || questions.length > 1 || status !== 'needs_input')
      throw new Error(`the run does not wait for one answer: ${JSON.stringify(await this.read())}`);
    return question;
  }

  /** Follows the run to its end; a stream that ends before, with its replica, is opened again. */
  async ended(): Promise<RunWire> {
    const readEnd = async (): Promise<RunWire | false> => {
      await this.#frames(() => false).catch(() => []);
      const run = await this.read();
      return over.has(run.status) && run;
    };
    return until(`the end of run ${this.id}`, readEnd, patienceMs).catch(async (error: unknown) => {
      throw new Error(`the run does not end: ${await this.story()}`, { cause: error });
    });
  }

  /** @throws Error with the run when it did not complete */
  async completed(): Promise<RunWire> {
    const run = await this.ended();
    if (run.status !== 'completed') throw new Error(`the run did not complete: ${await this.story()}`);
    return run;
  }

  /** All its events, for a walk that failed. */
  async story(): Promise<string> {
    const { events } = await this.#on.must(200, 'GET', `${this.where}/events?limit=1000`);
    const lines = events.map(({ type, data }: { type: string; data: unknown }) => `${type} ${JSON.stringify(data)}`);
    return [JSON.stringify(await this.read()), ...lines].join('\n');
  }

  /** The task of a step, by its kind, story and iteration; the last try of it. */
  async taskOf(kind: string, storyId: string, n: number): Promise<{ id: string; prompt: string; status: string }> {
    const { attempt } = await this.#on.must(200, 'GET', `${this.where}/stories/${storyId}/attempts/${n}`);
    const steps: readonly { kind: string; task_id: string }[] = attempt.steps;
    const step = steps.findLast((one) => one.kind === kind);
    if (step === undefined) throw new Error(`${storyId} has no step ${kind} in iteration ${n}`);
    return (await this.#on.must(200, 'GET', `/v1/agent/tasks/${step.task_id}`)).task;
  }

  progress(): Promise<string> {
    return this.#on.must(200, 'GET', `${this.where}/progress.txt`);
  }

  async #frames(isLast: (event: Frame) => boolean): Promise<readonly Frame[]> {
    await using stream = await openStream(this.#on.caller(), `${this.where}/events`);
    const timer = setTimeout(() => void stream.close(), patienceMs);
    try {
      for (let frame = await stream.next(); frame !== undefined; frame = await stream.next()) if (isLast(frame)) break;
    } finally {
      clearTimeout(timer);
    }
    return stream.frames;
  }
}
