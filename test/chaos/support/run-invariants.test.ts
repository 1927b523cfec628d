// The judge of runs is judged: a run as it ends breaks no promise, and each way to break one is found.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkRunInvariants } from '../../support/database/run-invariants.ts';
import { newRunId, openRunSite } from '../../support/runs/new-run.ts';
import { scriptStepWorker } from '../../support/runs/scripted-step-worker.ts';
import { openService, type TestService } from '../../support/service.ts';

let service: TestService;
let runId = '';

beforeAll(async () => {
  service = await openService();
  const site = await openRunSite(service);
  runId = await newRunId(service, { codebase_id: site.codebaseId });
  await scriptStepWorker(service, site).workUntil(runId, 'completed');
});
afterAll(() => service[Symbol.asyncDispose]());

/** The judge's findings after a change, which is then rolled back. */
async function findAfter(...changes: string[]): Promise<string[]> {
  const { db } = service;
  const tables = ['ralph_runs', 'ralph_stories', 'ralph_attempts', 'ralph_steps', 'ralph_events', 'tasks'];
  // Triggers would refuse some of the changes.
  await db.query(
    `do $$ begin set local session_replication_role = replica;
       ${tables.map((name) => `create table kept_${name} as table ${name};`).join(' ')}
       ${changes.join('; ')}; end $$`,
  );
  const found = await checkRunInvariants(db);
  await db.query(
    `do $$ begin set local session_replication_role = replica;
       ${tables.map((name) => `delete from ${name}; insert into ${name} select * from kept_${name}; drop table kept_${name};`).join(' ')}
     end $$`,
  );
  return found;
}

it('a run that completed keeps every promise', async () => {
  expect(await checkRunInvariants(service.db)).toEqual([]);
});

const first = `run_id = '$RUN' and story_id = 'US-001'`;
const breaches: readonly (readonly [promise: string, change: string])[] = [
  ['the events of a run count from 1', `delete from ralph_events where run_id = '$RUN' and seq = 3`],
  ['the last status among the events', `update ralph_runs set status = 'failed' where id = '$RUN'`],
  [
    'a commit landed once',
    `update ralph_events set data = (select data from ralph_events where type = 'landed' and run_id = '$RUN' order by seq limit 1)
     where type = 'landed' and run_id = '$RUN'`,
  ],
  [
    'a story landed once',
    `update ralph_events set data = data || '{"story_id": "US-001"}' where type = 'landed' and run_id = '$RUN'`,
  ],
  ['a run that is over says when', `update ralph_runs set completed_at = null where id = '$RUN'`],
  ['a story that passed with a commit', `update ralph_stories set commit = repeat('f', 40) where ${first}`],
  ['the head is the commit that landed last', `update ralph_runs set head_commit = base_commit where id = '$RUN'`],
  ['the landed commits are a chain', `update ralph_runs set base_commit = repeat('f', 40) where id = '$RUN'`],
  ['in no phase', `update ralph_stories set phase = 'landing' where ${first}`],
  ['has passed every story', `update ralph_stories set status = 'failed' where ${first}`],
  ['judged more often than it may', `update ralph_stories set iteration = 6 where ${first}`],
  ['the number of its judged attempts', `update ralph_stories set iteration = 2 where ${first}`],
  ['one open attempt at most', `update ralph_attempts set status = 'open' where ${first}`],
  [
    'passed by one attempt',
    `insert into ralph_attempts select (jsonb_populate_record(a, '{"try": 2}')).* from ralph_attempts a where ${first}`,
  ],
  [
    'an iteration was judged once',
    `insert into ralph_attempts select (jsonb_populate_record(a, '{"try": 2, "status": "failed"}')).*
     from ralph_attempts a where ${first}`,
  ],
  ['an attempt that is over has an end', `update ralph_attempts set ended_at = null where ${first}`],
  ['a task of a step its step', `delete from ralph_steps where kind = 'check' and ${first}`],
  ['one live step at most', `update ralph_steps set status = 'open' where ${first}`],
  [
    'no step is live for a run that is over',
    `update ralph_steps set status = 'open' where kind = 'check' and ${first}`,
  ],
  [
    'no task of a step outlives its step',
    `update tasks set status = 'pending' where id = (select task_id from ralph_steps where kind = 'check' and ${first})`,
  ],
  [
    'no step was done twice',
    `insert into ralph_steps select (jsonb_populate_record(s, jsonb_build_object('id', make_uuid7()))).*
     from ralph_steps s where kind = 'check' and ${first}`,
  ],
  [
    'waits for a step',
    `update ralph_runs set status = 'running', completed_at = null, due_at = null where id = '$RUN'`,
  ],
];

it.each(breaches)('the invariants find: %s', async (promise, change) => {
  expect((await findAfter(change.replaceAll('$RUN', runId))).join('\n')).toContain(promise);
});
