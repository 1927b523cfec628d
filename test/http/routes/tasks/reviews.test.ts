// Drafts of reviews, and follow-ups: what the new task is, once, and what becomes of the draft.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  openService,
  type ApiReply,
  type CallOptions,
  type ManualWorker,
  type TestService,
} from '../../../support/service.ts';
import type { TaskWire } from '../../../../src/contracts/task.ts';

let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  service = await openService();
});
beforeEach(async () => {
  worker = await service.worker();
});
afterAll(() => service[Symbol.asyncDispose]());

const comment = {
  path: 'src/a.ts',
  side: 'new',
  line: 2,
  quote: 'const made = 1;',
  text: 'Make it two.',
};

const diff = [
  'diff --git a/src/a.ts b/src/a.ts',
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
  '@@ -1,2 +1,3 @@',
  ' // one',
  '+const made = 1;',
  '+const other = `1`;',
  '-const gone = 1;',
  '',
].join('\n');

interface Reviewed {
  readonly id: string;
  readonly branch: string;
}

/** A task that its worker has completed on a branch. @param repository where the branch is */
async function reviewedTask(fields: Record<string, unknown> = {}, repository = '/home/me/app'): Promise<Reviewed> {
  const { id } = await service.task({ title: 'Make one', ...fields });
  const [held] = await worker.claim(1, id);
  if (held === undefined) throw new Error('nothing claimed');
  const branch = `switchyard/${id}`;
  const artifacts = [
    { name: 'diff', mime_type: 'text/x-diff', text: diff },
    {
      name: 'branch',
      mime_type: 'application/json',
      data: { branch, commit: '1a2b3c4d5e6f', base: 'f00', repository },
    },
  ];
  expect((await worker.release(held, { status: 'completed', artifacts })).status).toBe(200);
  return { id, branch };
}

function followUp(id: string, body: Record<string, unknown>, options: CallOptions = {}): Promise<ApiReply> {
  return service.call('POST', `/v1/agent/tasks/${id}/follow-up`, { as: 'editor', body, ...options });
}

async function followed(id: string, body: Record<string, unknown>): Promise<TaskWire> {
  const reply = await followUp(id, body);
  expect(reply.status).toBe(201);
  return reply.body.task;
}

describe('a draft', () => {
  const draft = { comments: [comment, { text: 'On the whole.' }], viewed: ['src/a.ts'] };

  it('is empty at first, is replaced, and is the caller’s own [ui-6.6.1]', async () => {
    const { id } = await service.task();
    const path = `/v1/agent/tasks/${id}/review`;
    const none = { review: { comments: [], viewed: [], updated_at: null } };
    expect(await service.call('GET', path, { as: 'editor' })).toMatchObject({ status: 200, body: none });
    await service.call('PUT', path, { as: 'editor', body: { comments: [] } });
    expect(await service.call('PUT', path, { as: 'editor', body: draft })).toMatchObject({ status: 200 });
    const kept = await service.call('GET', path, { as: 'editor' });
    expect(kept.body.review).toEqual({ ...draft, updated_at: expect.any(String) });
    expect((await service.call('GET', path, { as: 'editor2' })).body).toEqual(none);
    expect((await service.call('GET', path, { as: 'other' })).status).toBe(404);
    expect((await service.call('PUT', path, { as: 'viewer', body: draft })).status).toBe(403);
  });

  it('has 256 KiB at most [ui-6.6.1]', async () => {
    const { id } = await service.task();
    const path = `/v1/agent/tasks/${id}/review`;
    const sized = (characters: number): unknown => ({
      comments: [
        { text: 'x' },
        { text: 'y'.repeat(characters) },
        { text: 'z'.repeat(90_000) },
        { text: 'z'.repeat(90_000) },
      ],
    });
    expect((await service.call('PUT', path, { as: 'editor', body: sized(80_000) })).status).toBe(200);
    expect(await service.call('PUT', path, { as: 'editor', body: sized(90_000) })).toMatchObject({
      status: 413,
      body: { code: 'review_too_large' },
    });
    expect((await service.call('PUT', path, { as: 'editor', body: { comments: [{ text: 1 }] } })).status).toBe(400);
    expect(
      (await service.call('PUT', path, { as: 'editor', body: { comments: [{ ...comment, side: 'left' }] } })).status,
    ).toBe(400);
  });

  it('is dropped by its caller’s follow-up, and by nobody else’s [ui-6.6.7]', async () => {
    const { id } = await reviewedTask();
    const path = `/v1/agent/tasks/${id}/review`;
    for (const as of ['editor', 'editor2'] as const) await service.call('PUT', path, { as, body: draft });
    await followed(id, { comments: [comment] });
    expect((await service.call('GET', path, { as: 'editor' })).body.review.comments).toEqual([]);
    expect((await service.call('GET', path, { as: 'editor2' })).body.review.comments).toHaveLength(2);
  });
});

describe('a follow-up', () => {
  it('is a task on the branch, in the conversation, for the worker that holds it [ui-6.6.2]', async () => {
    const { id, branch } = await reviewedTask({ priority: 7, agent_type: 'build' });
    const task = await followed(id, { message: 'Nearly.', comments: [comment, { text: 'Add a test.' }] });
    expect(task).toMatchObject({
      title: 'Review of Make one',
      status: 'pending',
      follows: id,
      conversation_id: id,
      target_worker_id: worker.id,
      metadata: { git_base: branch },
      agent_type: 'build',
      priority: 7,
      codebase_id: 'global',
      retry_of: null,
    });
    expect(task.prompt).toBe(
      [
        `Your change of task ${id} (branch ${branch}, commit 1a2b3c4) was reviewed. Do what the comments ask, and nothing else.`,
        'Nearly.',
        '## 1. src/a.ts, new line 2',
        '> ```',
        '> const made = 1;',
        '> ```',
        'Make it two.',
        '## 2. The whole change',
        'Add a test.',
        '',
      ].join('\n'),
    );
    expect((await worker.claim(1, task.id)).map((held) => held.task.id)).toEqual([task.id]);
  });

  it('stays in the conversation of its task, and goes to any worker where the branch was pushed [ui-6.6.2]', async () => {
    const { id } = await reviewedTask({ conversation_id: 'a-conversation' }, 'https://example.com/app.git');
    expect(await followed(id, { message: 'Go on.' })).toMatchObject({
      conversation_id: 'a-conversation',
      target_worker_id: null,
    });
  });

  it('goes to another agent or worker where one is named', async () => {
    const { id } = await reviewedTask({ agent_type: 'build' });
    const other = await service.worker({ name: 'another' });
    const task = await followed(id, { message: 'Go on.', agent: 'codex', worker: other.id });
    expect(task).toMatchObject({ agent_type: 'codex', target_worker_id: other.id });
    const missing = await followUp(id, { message: 'x', worker: '01890000-0000-7000-8000-000000000000' });
    expect(missing).toMatchObject({ status: 404, body: { code: 'worker_not_found' } });
  });

  it('quotes the lines itself where a comment has none [ui-6.6.8]', async () => {
    const { id } = await reviewedTask();
    const { quote: _quote, ...bare } = comment;
    const range = { ...bare, end_line: 3 };
    const { prompt } = await followed(id, {
      comments: [bare, range, { ...bare, side: 'old', line: 2 }, { ...bare, line: 99 }],
    });
    expect(prompt).toContain('new line 2\n> ```\n> const made = 1;\n> ```\nMake');
    expect(prompt).toContain('new lines 2 to 3\n> ``');
    expect(prompt).toContain('> const made = 1;\n> const other = `1`;\n');
    expect(prompt).toContain('old line 2\n> ```\n> const gone = 1;\n');
    expect(prompt).toContain('new line 99\nMake');
  });

  it('resumes the session of the agent where its worker has it [ui-6.6.5]', async () => {
    const { id } = await reviewedTask({ conversation_id: 'resumable' });
    const session = {
      session_id: 'resumable',
      title: 'a session',
      agent: 'claude',
      started_at: '2026-01-01T00:00:00.000Z',
      last_activity_at: '2026-01-01T00:00:00.000Z',
      message_count: 1,
      tool_usage: {},
      metadata: { agent_session_id: 'of-claude' },
    };
    const synced = await service.call('POST', '/v1/agent/codebases/global/sessions/sync', {
      as: 'agent',
      body: { worker_id: worker.id, sessions: [session] },
    });
    expect(synced.status).toBe(200);
    expect((await followed(id, { message: 'Go on.' })).metadata).toMatchObject({
      resume_session_id: 'resumable',
      resume_agent: 'claude',
      resume_agent_session: 'of-claude',
      resume_worker_id: worker.id,
    });
    const other = await service.worker({ name: 'without the session' });
    for (const elsewhere of [{ agent: 'codex' }, { worker: other.id }]) {
      expect((await followed(id, { message: 'Go on.', ...elsewhere })).metadata).not.toHaveProperty(
        'resume_session_id',
      );
    }
  });

  it('needs a message or a comment, and a finished task that is no step [ui-6.6.6]', async () => {
    const { id } = await reviewedTask();
    for (const body of [{}, { comments: [] }, { message: '  ' }, { comments: [{ text: '' }] }]) {
      expect((await followUp(id, body)).status).toBe(400);
    }
    const { id: open } = await service.task();
    expect(await followUp(open, { message: 'x' })).toMatchObject({ status: 409, body: { code: 'task_not_finished' } });
    expect((await followUp(id, { message: 'x' }, { as: 'viewer' })).status).toBe(403);
    expect((await followUp(id, { message: 'x' }, { as: 'other' })).status).toBe(404);
  });

  it('is made once for its Idempotency-Key [ui-6.6.6]', async () => {
    const { id } = await reviewedTask();
    const headers = { 'idempotency-key': 'draft-1' };
    const body = { comments: [comment] };
    const first = await followUp(id, body, { headers });
    const again = await followUp(id, body, { headers });
    expect(again).toMatchObject({ status: 201, body: { task: { id: first.body.task.id } } });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await followUp(id, { message: 'other' }, { headers })).status).toBe(422);
  });

  it('brings comments that are too long for a prompt as a message and an artifact [ui-6.6.4]', async () => {
    const { id } = await reviewedTask();
    const comments = ['a', 'b', 'c'].map((letter) => ({ ...comment, quote: letter.repeat(80_000) }));
    const task = await followed(id, { comments });
    expect(task.prompt.length).toBeLessThan(1000);
    expect(task.prompt).toContain('review.md');
    const [held] = await worker.claim(1, task.id);
    const sent = JSON.stringify(held?.task.messages);
    for (const { quote } of comments) expect(sent).toContain(quote);
    const { body } = await service.call('GET', `/v1/agent/tasks/${task.id}/artifacts/review.md`, { as: 'viewer' });
    expect(body.artifact).toMatchObject({ name: 'review.md', mime_type: 'text/markdown' });
    for (const { quote } of comments) expect(body.artifact.text).toContain(quote);
  });
});
