// Rules that hold in the database after anything that may have happened to the queue: races, kills, restarts.
import { findViolations, type Database, type Invariant } from './invariant.ts';

const terminal = `('completed', 'failed', 'cancelled')`;

/** The moves of choices-2, written down once more, so that the log is judged by neither code nor trigger. */
const moves = `(values ('pending', 'running'), ('pending', 'cancelled'), ('pending', 'failed'),
  ('running', 'completed'), ('running', 'failed'), ('running', 'cancelled'), ('running', 'needs_input'),
  ('running', 'pending'), ('needs_input', 'pending'), ('needs_input', 'cancelled'), ('needs_input', 'failed')
) as allowed(before, after)`;

const ofTheLog: readonly Invariant[] = [
  {
    statement: 'seq counts from 1 without a gap, and last_seq is its end',
    violations: `select t.id as subject, format('last_seq %s, events %s from %s to %s', t.last_seq, e.n, e.low, e.high) as found
      from tasks t left join lateral (select count(*) as n, min(seq) as low, max(seq) as high from task_events e
        where e.tenant_id = t.tenant_id and e.task_id = t.id) e on true
      where e.n <> t.last_seq or e.low is distinct from 1 or e.high is distinct from t.last_seq`,
  },
  {
    statement: 'a finished task has exactly one final event, any other none',
    violations: `select t.id as subject, format('%s with %s final events', t.status, e.n) as found
      from tasks t cross join lateral (select count(*) as n from task_events e
        where e.tenant_id = t.tenant_id and e.task_id = t.id and e.type = 'status' and (e.data->>'final')::boolean) e
      where e.n <> case when t.status in ${terminal} then 1 else 0 end`,
  },
  {
    statement: 'the last status in the log is the task’s own',
    violations: `select t.id as subject, format('%s, the log says %s', t.status, e.status) as found
      from tasks t left join lateral (select data->>'status' as status from task_events e
        where e.tenant_id = t.tenant_id and e.task_id = t.id and e.type = 'status' order by seq desc limit 1) e on true
      where e.status is distinct from t.status`,
  },
  {
    statement: 'the log moves as the table of states allows, from pending on',
    violations: `select task_id as subject, format('seq %s: %s to %s', seq, before, after) as found from (
        select task_id, seq, data->>'status' as after, lag(data->>'status') over w as before
        from task_events where type = 'status' window w as (partition by tenant_id, task_id order by seq)) s
      where case when s.before is null then s.after <> 'pending'
        else not exists (select from ${moves} where allowed.before = s.before and allowed.after = s.after) end`,
  },
  {
    statement: 'no event belongs to no task',
    violations: `select e.task_id as subject, format('seq %s', e.seq) as found from task_events e
      where not exists (select from tasks t where t.tenant_id = e.tenant_id and t.id = e.task_id)`,
  },
  {
    statement: 'an artifact is where its index says',
    violations: `select a.task_id as subject, format('%s at %s to %s', a.artifact_id, a.first_seq, a.last_seq) as found
      from task_artifacts a where exists (select from unnest(array[a.first_seq, a.last_seq]) as at(seq) where not exists (
        select from task_events e where e.tenant_id = a.tenant_id and e.task_id = a.task_id and e.seq = at.seq
          and e.type = 'artifact' and e.data->>'artifact_id' = a.artifact_id))`,
  },
];

const ofTheRuns: readonly Invariant[] = [
  {
    statement: 'attempt is the number of runs that count, epoch the number of runs',
    violations: `select t.id as subject, format('attempt %s of %s counted, epoch %s of %s runs up to %s',
        t.attempt, r.counted, t.epoch, r.n, r.high) as found
      from tasks t cross join lateral (select count(*) as n, count(*) filter (where counted) as counted,
        coalesce(max(epoch), 0) as high from task_runs r where r.tenant_id = t.tenant_id and r.task_id = t.id) r
      where t.attempt <> r.counted or t.epoch <> r.n or t.epoch <> r.high`,
  },
  {
    statement: 'the log has every attempt that began',
    violations: `select t.id as subject, format('epoch %s, %s beginnings', t.epoch, e.n) as found
      from tasks t cross join lateral (select count(*) as n from task_events e where e.tenant_id = t.tenant_id
        and e.task_id = t.id and e.type = 'status' and e.data->>'status' = 'running') e
      where e.n <> t.epoch`,
  },
  {
    statement: 'no attempt beyond max_attempts',
    violations: `select id as subject, format('attempt %s of %s', attempt, max_attempts) as found
      from tasks where attempt > max_attempts or attempt < 0`,
  },
  {
    statement: 'a run is running exactly while its task is, under the newest epoch and its worker’s lease',
    violations: `select coalesce(r.task_id, t.id) as subject,
        format('run %s epoch %s, task %s epoch %s', r.status, r.epoch, t.status, t.epoch) as found
      from (select * from task_runs where status = 'running') r
      full join (select * from tasks where status = 'running') t on t.tenant_id = r.tenant_id and t.id = r.task_id
        and t.epoch = r.epoch and t.run_id = r.run_id and t.lease_token = r.lease_token and t.worker_id = r.worker_id
      where r.task_id is null or t.id is null`,
  },
  {
    statement: 'a run that is over has an end, one that goes on has none',
    violations: `select task_id as subject, format('run %s %s ended %s', epoch, status, ended_at) as found
      from task_runs where (status = 'running') <> (ended_at is null)`,
  },
  {
    statement: 'a run id names one run',
    violations: `select run_id as subject, format('%s runs', count(*)) as found
      from task_runs group by run_id having count(*) > 1`,
  },
  {
    statement: 'no run belongs to no task',
    violations: `select r.task_id as subject, format('epoch %s', r.epoch) as found from task_runs r
      where not exists (select from tasks t where t.tenant_id = r.tenant_id and t.id = r.task_id)`,
  },
];

const ofTheRows: readonly Invariant[] = [
  {
    statement: 'a finished task says when, any other does not',
    violations: `select id as subject, format('%s completed_at %s', status, completed_at) as found
      from tasks where (status in ${terminal}) <> (completed_at is not null)`,
  },
  {
    statement: 'a running task has a worker and a lease, a pending one neither',
    violations: `select id as subject, format('%s worker %s lease %s until %s', status, worker_id, lease_token, lease_expires_at)
        as found
      from tasks where (status = 'running') <> (lease_expires_at is not null)
        or (status = 'running' and (worker_id is null or lease_token is null))
        or (status = 'pending' and (worker_id is not null or lease_token is not null))`,
  },
  {
    statement: 'a pending task has its route, or no worker ever finds it',
    violations: `select t.id as subject, format('route %s', t.route_id) as found from tasks t
      where t.status = 'pending' and not exists (
        select from routes r where r.tenant_id = t.tenant_id and r.route_id = t.route_id
          and r.codebase_id is not distinct from t.codebase_id and r.target_agent is not distinct from t.target_agent
          and r.target_worker_id is not distinct from t.target_worker_id
          and r.required_capabilities @> t.required_capabilities
          and r.required_capabilities <@ t.required_capabilities)`,
  },
  {
    statement: 'a worker has completed at least the runs that say so',
    violations: `select w.worker_id as subject, format('%s counted, %s runs', w.tasks_completed, r.n) as found
      from workers w cross join lateral (select count(*) as n from task_runs r where r.tenant_id = w.tenant_id
        and r.worker_id = w.worker_id and r.status = 'completed') r
      where w.tasks_completed < r.n`,
  },
  {
    statement: 'an idempotency key made one task, and no two keys the same',
    violations: `select task_id as subject, format('%s keys', count(*)) as found
      from idempotency_keys group by task_id having count(*) > 1`,
  },
];

/** Looks at every task of every tenant. @returns one line for each row that breaks a promise; empty when all is whole */
export function checkInvariants(db: Database): Promise<string[]> {
  return findViolations(db, [...ofTheLog, ...ofTheRuns, ...ofTheRows]);
}

/** For the end of a test. @throws naming every row that breaks a promise */
export async function assertInvariants(db: Database): Promise<void> {
  const broken = await checkInvariants(db);
  if (broken.length > 0) throw new Error(`the database is not whole:\n${broken.join('\n')}`);
}
