// The automation family as a script uses it, with a receiver that verifies its webhooks. core-2.4, core-2.10, core-4.6, core-8.
import { createHmac } from 'node:crypto';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { until } from '../support/until.ts';
import type { Arrival } from '../support/peers/webhook-receiver.ts';
import { script } from '../support/worker/local-worker.ts';
import { haveExited, pidsIn } from '../support/worker/left-processes.ts';
import { signingSecret } from './support/deployment.ts';
import { requestsInput, leavesProcesses } from './support/prompts.ts';
import { fileOnBranch } from './support/repository.ts';
import type { WalkContext } from './support/walk-context.ts';
import { walks } from './support/walk.ts';

let globalFolder = '';

/** The document's header over the bytes, the time in Unix seconds, and the signature of Standard Webhooks. */
function verify({ bytes, headers }: Arrival): void {
  const hex = createHmac('sha256', signingSecret).update(bytes).digest('hex');
  expect(headers['x-service-signature']).toBe(`sha256=${hex}`);
  expect(Math.abs(Date.now() / 1000 - Number(headers['x-service-timestamp']))).toBeLessThan(300);
  const library = new Webhook(signingSecret, { format: 'raw' });
  expect(() => library.verify(bytes.toString(), headers)).not.toThrow();
  expect(() => library.verify(`${bytes.toString()} `, headers)).toThrow('No matching signature');
}

/** Calls of one script, with an API key of its own. */
async function asScript(on: WalkContext) {
  const { token } = await on.key();
  return {
    token,
    create: (fields: Record<string, unknown>, headers: Record<string, string> = {}) =>
      on.call('POST', '/v1/automation/tasks', { token, body: { title: 'a script', ...fields }, headers }),
    status: (id: string) => on.must(200, 'GET', `/v1/automation/tasks/${id}`, { token }),
  };
}

walks(
  'automation',
  {
    on: ['replicas'],
    prepare: async (context) => {
      globalFolder = await context.repository();
      await context.worker({ global: globalFolder, slots: 6 });
    },
  },
  (walk) => {
    walk(
      ['automation-create', 'webhook-completed', 'automation-me'],
      'a script creates a task, has its webhook and its result',
      async (on) => {
        const receiver = await on.receiver();
        const { create, status, token } = await asScript(on);
        expect(await on.must(200, 'GET', '/v1/automation/me', { token })).toMatchObject({
          tenant_id: 'default',
          roles: ['editor'],
          scopes: ['automation:*', 'tasks:*'],
        });
        const description = script('echo made > made.txt', 'echo all is done');
        const { status: code, body } = await create({
          description,
          agent_type: 'build',
          webhook_url: `${receiver.url}/done`,
        });
        expect([code, body]).toEqual([
          201,
          {
            task_id: expect.any(String),
            run_id: expect.any(String),
            status: 'queued',
            title: 'a script',
            created_at: expect.stringMatching(/Z$/),
          },
        ]);
        await on.completed(body.task_id);
        const [arrival] = await receiver.arrived('/done');
        if (arrival === undefined) throw new Error('no webhook');
        verify(arrival);
        expect(arrival.json).toEqual({
          event: 'task_completed',
          run_id: body.run_id,
          task_id: body.task_id,
          status: 'completed',
          result: expect.stringContaining('all is done'),
          error: null,
          timestamp: expect.stringMatching(/Z$/),
        });
        const done = await status(body.task_id);
        expect(done).toMatchObject({
          status: 'completed',
          result_summary: expect.stringContaining('all is done'),
          runtime_seconds: expect.any(Number),
        });
        expect(Date.parse(done.completed_at)).toBeGreaterThanOrEqual(Date.parse(done.created_at));
        expect(await fileOnBranch(globalFolder, body.task_id, 'made.txt')).toBe('made');
        await until('the delivery is recorded', async () => {
          const { deliveries } = await on.must(200, 'GET', `/v1/automation/tasks/${body.task_id}/deliveries`, {
            token,
          });
          return deliveries.length === 1 && deliveries[0].status === 'delivered';
        });
        expect(receiver.on('/done')).toHaveLength(1);
      },
    );

    walk(
      ['automation-cancel', 'webhook-failed', 'automation-list'],
      'a failed and a cancelled task send the one event, and are listed by status',
      async (on) => {
        const receiver = await on.receiver();
        const { create, status, token } = await asScript(on);
        const failing = await create({
          description: script('echo no >&2', 'exit 3'),
          webhook_url: `${receiver.url}/failed`,
          max_attempts: 1,
        });
        const file = path.join(on.folder, 'pids');
        const long = await create({
          description: script(...leavesProcesses(file), 'sleep 600'),
          webhook_url: `${receiver.url}/cancelled`,
        });
        const pids = await pidsIn(file);
        const id = long.body.task_id;
        expect((await status(id)).status).toBe('running');
        expect(await on.must(200, 'DELETE', `/v1/automation/tasks/${id}`, { token })).toEqual({
          task_id: id,
          status: 'cancelled',
        });
        await haveExited(pids);
        expect((await on.call('DELETE', `/v1/automation/tasks/${id}`, { token })).status).toBe(409);
        const [failed] = await receiver.arrived('/failed');
        const [cancelled] = await receiver.arrived('/cancelled');
        for (const arrival of [failed, cancelled]) if (arrival !== undefined) verify(arrival);
        expect(failed?.json).toMatchObject({
          event: 'task_completed',
          status: 'failed',
          result: null,
          error: expect.any(String),
        });
        expect(cancelled?.json).toMatchObject({ event: 'task_completed', status: 'cancelled', task_id: id });
        for (const [word, expected] of [
          ['failed', failing.body.task_id],
          ['cancelled', id],
        ]) {
          const { tasks } = await on.must(200, 'GET', `/v1/automation/tasks?status=${word}&limit=200`, { token });
          expect(tasks).toContainEqual(expect.objectContaining({ task_id: expected, status: word }));
          expect(new Set(tasks.map((one: { status: string }) => one.status))).toEqual(new Set([word]));
        }
      },
    );

    walk(['webhook-retried'], 'a webhook is tried again, three times at most, and can be sent anew', async (on) => {
      const receiver = await on.receiver();
      const { create, token } = await asScript(on);
      const once = await create({ description: script('echo one'), webhook_url: `${receiver.url}/answer-500-once` });
      const never = await create({ description: script('echo two'), webhook_url: `${receiver.url}/answer-500` });
      const [first, second] = await receiver.arrived('/answer-500-once', 2);
      expect(first?.headers['webhook-id']).toBe(second?.headers['webhook-id']);
      expect(second?.bytes).toEqual(first?.bytes);
      const deliveriesOf = async (id: string) =>
        (await on.must(200, 'GET', `/v1/automation/tasks/${id}/deliveries`, { token })).deliveries;
      await receiver.arrived('/answer-500', 3);
      const [dead] = await until('it is given up', async () => {
        const deliveries = await deliveriesOf(never.body.task_id);
        return deliveries[0]?.status === 'dead' && deliveries;
      });
      expect(dead.attempts.map((one: { status_code: number }) => one.status_code)).toEqual([500, 500, 500]);
      await on.call('POST', `/v1/automation/tasks/${never.body.task_id}/deliveries/${dead.delivery_id}/redeliver`, {
        token,
      });
      await receiver.arrived('/answer-500', 4);
      // The receiver has an attempt before the outbox has its outcome.
      const delivered = await until('its delivery is recorded', async () => {
        const [delivery] = await deliveriesOf(once.body.task_id);
        return delivery?.status === 'delivered' && delivery;
      });
      expect(delivered).toMatchObject({ attempts: [{ status_code: 500 }, { status_code: 204 }] });
    });

    walk(['idempotency'], 'a repeated creation is replayed, at another replica too, and runs once', async (on) => {
      const { create } = await asScript(on);
      const count = path.join(on.folder, 'count');
      const body = { description: script(`echo run >> '${count}'`, `cat '${count}'`) };
      const key = { 'idempotency-key': 'a walk of a script' };
      const all = await Promise.all([0, 1, 2, 3].map(() => create(body, key)));
      expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      const ids = new Set(all.map((one) => one.body.task_id));
      expect(ids.size).toBe(1);
      expect(all.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(3);
      const [id = ''] = ids;
      await on.completed(id);
      expect((await create(body, key)).body).toMatchObject({ task_id: id });
      expect((await create({ description: 'something else' }, key)).status).toBe(422);
      expect(await on.output(id)).toBe('run\n');
    });

    walk(['automation-question'], 'a script sees the question, answers it, and has the end', async (on) => {
      const { create, status, token } = await asScript(on);
      const { body } = await create({ description: script(...requestsInput('Which size?')) });
      await on.inState(body.task_id, 'needs_input');
      expect(await status(body.task_id)).toMatchObject({
        status: 'needs_input',
        result_summary: expect.stringContaining('Which size?'),
      });
      await on.must(200, 'POST', `/v1/automation/tasks/${body.task_id}/input`, { token, body: { message: 'Large.' } });
      await on.completed(body.task_id);
      expect((await status(body.task_id)).result_summary).toContain('read Large.');
      expect(await fileOnBranch(globalFolder, body.task_id, 'answer.txt')).toBe('Large.');
    });

    walk(
      ['rate-limit'],
      'sixty calls a minute of one key are answered, over all replicas, and then it is asked to wait',
      async (on) => {
        const { token } = await on.key();
        const call = () => on.call('GET', '/v1/automation/me', { token });
        const first = await call();
        expect(first.headers.get('x-ratelimit-limit')).toBe('60');
        expect(first.headers.get('x-ratelimit-remaining')).toBe('59');
        const rest = await Promise.all(Array.from({ length: 59 }, call));
        expect(rest.every(({ status }) => status === 200)).toBe(true);
        const refused = await call();
        expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
        expect(Number(refused.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000 - 5);
        expect((await on.call('GET', '/v1/auth/me', { token })).status).toBe(200);
      },
    );
  },
);
