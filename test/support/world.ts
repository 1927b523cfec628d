// Everything a tenant can have, made through the doors: workers, codebases, sessions, tasks in every state.
import type { Assignment } from '../../src/contracts/worker.ts';
import type { HandWorker, House, Who } from '../house.ts';

export interface World {
  readonly worker: HandWorker;
  readonly codebaseId: string;
  readonly sessionId: string;
  readonly artifactId: string;
  /** A task that the worker holds. */
  readonly running: Assignment;
  /** Ids of tasks by state. */
  readonly tasks: Readonly<Record<'pending' | 'running' | 'needs_input' | 'completed' | 'cancelled', string>>;
}

/**
 * @param as a caller who may do all of it: operator or admin
 * @param mark a word that stands in every text, to be looked for where it must not show up
 */
export async function buildWorld(house: House, as: Who, mark: string): Promise<World> {
  const codebases = [{ name: mark, path: `/${mark}`, description: mark }];
  const worker = await house.worker({ name: mark, hostname: mark, agents: [mark], codebases, slots: 9 }, as);
  const codebaseId = worker.registered.codebases[0]?.codebase_id ?? '';
  const task = async (): Promise<string> =>
    (await house.task({ title: mark, prompt: mark, codebase_id: codebaseId, conversation_id: mark }, as)).id;
  const held = async (): Promise<Assignment> => {
    const id = await task();
    const [one] = await worker.claim(1, id);
    if (one === undefined) throw new Error('not claimed');
    await worker.report(one, [
      { type: 'output', n: 1, stream: 'agent', text: mark },
      { type: 'artifact', n: 2, name: mark, text: mark },
    ]);
    return one;
  };
  const [running, asking, done] = [await held(), await held(), await held()];
  await worker.release(asking, { status: 'needs_input', message: { text: mark } });
  await worker.release(done, { status: 'completed', result: mark });
  const cancelled = await task();
  await house.call('POST', `/v1/agent/tasks/${cancelled}/cancel`, { as });
  const path = `/v1/agent/codebases/${codebaseId}/sessions`;
  const session = { session_id: mark, title: mark, agent: mark };
  const message = { message_id: mark, role: 'user', summary: mark };
  await house.call('POST', `${path}/sync`, { as, body: { worker_id: worker.id, sessions: [session] } });
  await house.call('POST', `${path}/${mark}/messages/sync`, {
    as,
    body: { worker_id: worker.id, messages: [message] },
  });
  const tasks = {
    pending: await task(),
    running: running.task.id,
    needs_input: asking.task.id,
    completed: done.task.id,
    cancelled,
  };
  return { worker, codebaseId, sessionId: mark, artifactId: mark, running, tasks };
}

/** The ids of a world by the names that requests have for them; `id` is what the operation's path names. */
export function idsOf(world: World, names: string | undefined): Record<string, string> {
  const byName: Record<string, string> = {
    task: world.tasks.running,
    worker: world.worker.id,
    codebase: world.codebaseId,
    session: world.codebaseId,
  };
  return {
    id: byName[names ?? ''] ?? world.tasks.running,
    sid: world.sessionId,
    artifact_id: world.artifactId,
    task_id: world.tasks.running,
    worker_id: world.worker.id,
    codebase_id: world.codebaseId,
    target_worker_id: world.worker.id,
    lease_token: world.running.lease_token,
    conversation_id: world.sessionId,
  };
}
