// Session sync: one session for each conversation, sent once, and again after a failure. core-2.7.
import { describe, expect, it } from 'vitest';
import { openService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { ServiceRefusal, ServiceUnreachable } from '../../../src/worker/base/service-error.ts';
import { SessionStore } from '../../../src/worker/report/session-store.ts';
import { runSessionSync, syncSessionsOnce } from '../../../src/worker/report/session-sync.ts';
import { buildWorkerTask } from '../../support/builders/worker-task.ts';
import { openRecordedLog, createStandingRegistration } from '../../support/worker/worker-parts.ts';
import { localWorker, script, taskIn } from '../../support/worker/local-worker.ts';
import { manualClock } from '../../support/worker/manual-clock.ts';

function bench(fails: () => Error | undefined = () => undefined) {
  const clock = manualClock();
  const sessionStore = new SessionStore(clock);
  const sent: { path: string; body: unknown }[] = [];
  const take = async (path: string, body: unknown): Promise<void> => {
    const error = fails();
    if (error !== undefined) throw error;
    sent.push({ path, body });
  };
  const client = {
    syncSessions: (codebase: string, body: unknown) => take(codebase, body),
    syncMessages: (codebase: string, session: string, body: unknown) => take(`${codebase}/${session}`, body),
  };
  const options = {
    client,
    registration: createStandingRegistration(),
    sessionStore,
    clock,
    log: openRecordedLog().log,
    intervalMs: 60_000,
  };
  return { options, sessionStore, sent, clock, sync: () => syncSessionsOnce(options, new AbortController().signal) };
}

describe('the session sync', () => {
  it('syncs a conversation as one session, with summaries of its messages, each only once', async () => {
    const { sessionStore, sent, sync } = bench();
    const one = buildWorkerTask({ conversation_id: 'talk', title: 'first', prompt: 'p'.repeat(2000) });
    const two = buildWorkerTask({ conversation_id: 'talk', title: 'second' });
    sessionStore.recordStart(one, 'command');
    sessionStore.recordEnd(one, { status: 'completed', result: 'answer' });
    await sync();
    await sync();
    expect(sent.map(({ path }) => path)).toEqual(['global', 'global/talk']);
    expect(sent[0]?.body).toMatchObject({ sessions: [{ session_id: 'talk', title: 'first', message_count: 2 }] });
    expect(sent[1]?.body).toMatchObject({ messages: [{ role: 'user' }, { role: 'agent', summary: 'answer' }] });
    expect(JSON.stringify(sent).length).toBeLessThan(2000);
    sessionStore.recordStart(two, 'command');
    await sync();
    expect(sent).toHaveLength(4);
    expect(sent[2]?.body).toMatchObject({ sessions: [{ session_id: 'talk', title: 'second', message_count: 3 }] });
  });

  it('repeats a failed push, and drops a permanently refused one', async () => {
    const errors = [
      new ServiceUnreachable('POST', 'cut'),
      undefined,
      new ServiceUnreachable('POST', 'cut'),
      undefined,
      undefined,
      new ServiceRefusal('POST', { status: 404, code: 'not_found', detail: '' }),
    ];
    const { sessionStore, sent, sync } = bench(() => errors.shift());
    const task = buildWorkerTask();
    sessionStore.recordStart(task, 'command');
    for (let i = 0; i < 4; i += 1) await sync();
    expect(sent.map(({ path }) => path)).toEqual(['global', 'global', `global/${task.run_id}`]);
    sessionStore.recordStart(buildWorkerTask(), 'command');
    await sync();
    await sync();
    expect(sent).toHaveLength(3);
  });

  it('happens about every minute [core-8.5]', async () => {
    const { sessionStore, sent, clock, options } = bench();
    const over = new AbortController();
    const going = runSessionSync(options, over.signal);
    sessionStore.recordStart(buildWorkerTask(), 'command');
    await clock.advance(59_000);
    expect(sent).toEqual([]);
    await clock.advance(2000);
    expect(sent).toHaveLength(2);
    over.abort();
    await going;
  });

  it('reaches the service, also when the worker stops [core-2.7.19, choices-5.19, choices-5.20]', async () => {
    await using service = await openService();
    let task: { id: string };
    {
      await using _local = await localWorker(service);
      task = await service.task({ prompt: script('echo hello'), conversation_id: 'talk', title: 'a talk' });
      await taskIn(service, task.id, 'completed');
    }
    const { body } = await service.call('GET', '/v1/agent/codebases/global/sessions');
    expect(body.sessions).toMatchObject([{ session_id: 'talk', title: 'a talk', agent: 'command', message_count: 2 }]);
    const messages = await until('the messages', async () => {
      const reply = await service.call('GET', '/v1/agent/codebases/global/sessions/talk/messages');
      return reply.body.messages.length === 2 && reply.body.messages;
    });
    expect(messages.map(({ role }: { role: string }) => role).toSorted()).toEqual(['agent', 'user']);
  });
});
