// The service: submits with and without an idempotency key, the whole cycle, and how soon a task starts when idle.
import { z } from 'zod';
import type { BenchProcess } from '../child.ts';
import type { Implementation, BenchSetup } from '../implementation.ts';
import type { BenchDatabase } from '../database.ts';
import { roundFigures, type RoundFigures } from '../measure/round.ts';
import type { BenchService } from '../service.ts';
import { taskBody } from '../bodies/task-body.ts';
import { cycleRound, deliveredRound } from './cycle.ts';

const nothing = z.object({});
const opened = z.object({ url: z.string() });
const idleFigures = z.object({ commit: roundFigures, start: roundFigures });
/** The path of every submit. */
const path = '/v1/agent/tasks';

export interface ServiceImplementations {
  readonly implementations: readonly Implementation[];
  /** Measures in turn one commit, and one task from its submit to its start at a connected worker, with no other load. */
  idle(operations: number): Promise<{ commit: RoundFigures; start: RoundFigures }>;
}

export async function openSwitchyard(
  opening: BenchSetup,
  database: BenchDatabase,
  { url, pid: serverPid, tokenOf }: BenchService,
): Promise<ServiceImplementations> {
  const { connections, roundMs, cycleOperations } = opening.size;
  const load = async (tenant: 'submit' | 'cycle' | 'delivered', body?: string): Promise<BenchProcess> => {
    const child = opening.start('load');
    await child.request('open', { url, path, token: tokenOf(tenant), connections, body }, nothing);
    return child;
  };
  const worker = async (tenant: 'cycle' | 'delivered' | 'idle'): Promise<BenchProcess> => {
    const child = opening.start('worker');
    await child.request('open', { url, token: tokenOf(tenant), slots: connections }, nothing);
    return child;
  };
  const receiver = opening.start('receiver');
  const { url: webhook } = await receiver.request('open', {}, opened);
  const [submits, cycles, cycleWorker, idleWorker] = [
    await load('submit'),
    await load('cycle'),
    await worker('cycle'),
    await worker('idle'),
  ];
  const delivered = await load('delivered', JSON.stringify({ ...taskBody, webhook_url: `${webhook}/hook` }));
  const deliveredWorker = await worker('delivered');
  const pids = { serverPid, storePid: database.pid };
  const submit = (idempotencyKeys: boolean): Promise<RoundFigures> =>
    submits.request('round', { durationMs: roundMs, idempotencyKeys }, roundFigures);
  const idleLogin = await database.create('commits');
  return {
    implementations: [
      { name: 'switchyard', what: 'POST /v1/agent/tasks', kind: 'submit', ...pids, round: () => submit(false) },
      {
        name: 'switchyard, keyed',
        what: 'the same with Idempotency-Key',
        kind: 'submit',
        ...pids,
        round: () => submit(true),
      },
      {
        name: 'switchyard',
        what: 'submit, push, claim, complete',
        kind: 'cycle',
        ...pids,
        round: () => cycleRound(cycles, cycleWorker, cycleOperations),
      },
      {
        name: 'switchyard, with webhook',
        what: 'the same, and its signed webhook delivered',
        kind: 'cycle',
        ...pids,
        round: () => deliveredRound(delivered, deliveredWorker, receiver, cycleOperations),
      },
    ],
    idle: (operations) => idleWorker.request('idle', { login: idleLogin, operations }, idleFigures),
  };
}
