// Rules that hold in the rows of runs after anything that may have happened to them: races, kills, restarts.
import { findViolations, type Database, type Invariant } from './invariant.ts';
import { checkInvariants } from './invariants.ts';

const over = `('completed', 'failed', 'cancelled')`;
const live = `('open', 'asking')`;

const ofTheRecord: readonly Invariant[] = [
  {
    statement: 'the events of a run count from 1 without a gap, and last_seq is their end',
    violations: `select r.id as subject, format('last_seq %s, events %s from %s to %s', r.last_seq, e.n, e.low, e.high) as found
      from ralph_runs r cross join lateral (select count(*) as n, coalesce(min(seq), 1) as low, coalesce(max(seq), 0) as high
        from ralph_events e where e.tenant_id = r.tenant_id and e.run_id = r.id) e
      where e.n <> r.last_seq or e.low <> 1 or e.high <> r.last_seq`,
  },
  {
    statement: 'the last status among the events of a run that is over is its own',
    violations: `select r.id as subject, format('%s, the events say %s', r.status, e.status) as found
      from ralph_runs r left join lateral (select data->>'status' as status from ralph_events e
        where e.tenant_id = r.tenant_id and e.run_id = r.id and e.type = 'run' order by seq desc limit 1) e on true
      where r.status in ${over} and e.status is distinct from r.status`,
  },
  {
    statement: 'a commit landed once',
    violations: `select run_id as subject, format('%s landed %s times', data->>'commit', count(*)) as found
      from ralph_events where type = 'landed' group by tenant_id, run_id, data->>'commit' having count(*) > 1`,
  },
  {
    statement: 'a story landed once',
    violations: `select run_id as subject, format('%s landed %s times', data->>'story_id', count(*)) as found
      from ralph_events where type = 'landed' group by tenant_id, run_id, data->>'story_id' having count(*) > 1`,
  },
  {
    statement: 'a run that is over says when, any other does not',
    violations: `select id as subject, format('%s completed_at %s', status, completed_at) as found
      from ralph_runs where (status in ${over}) <> (completed_at is not null)`,
  },
];

const ofTheStories: readonly Invariant[] = [
  {
    statement: 'a story that passed with a commit has the green step that made it',
    violations: `select s.run_id as subject, format('%s commit %s', s.story_id, s.commit) as found from ralph_stories s
      where s.status = 'passed' and s.carried_from is null and s.commit is not null and not exists (
        select from ralph_steps p where p.tenant_id = s.tenant_id and p.run_id = s.run_id and p.story_id = s.story_id
          and p.status = 'ok' and p.kind in ('check', 'land') and p.result->>'commit' = s.commit
          and not exists (select from jsonb_array_elements(p.result->'results') g, ralph_runs r
            where r.tenant_id = p.tenant_id and r.id = p.run_id and not (g->>'passed')::boolean
              and (g->>'criterion' is not null or exists (select from jsonb_array_elements(r.baseline->'gates') b
                where b->>'id' = g->>'gate_id' and (b->>'required')::boolean))))`,
  },
  {
    statement: 'a commit has a story that passed, and the head is the commit that landed last',
    violations: `select r.id as subject, format('head %s, landed last %s', r.head_commit, e.commit) as found
      from ralph_runs r join lateral (select data->>'commit' as commit, data->>'story_id' as story_id from ralph_events e
        where e.tenant_id = r.tenant_id and e.run_id = r.id and e.type = 'landed' order by seq desc limit 1) e on true
      where not exists (select from ralph_questions q where q.tenant_id = r.tenant_id and q.run_id = r.id and q.kind = 'branch_moved')
        and (r.head_commit is distinct from e.commit or not exists (select from ralph_stories s
          where s.tenant_id = r.tenant_id and s.run_id = r.id and s.story_id = e.story_id and s.status = 'passed'
            and s.commit = e.commit))`,
  },
  {
    statement: 'the landed commits are a chain: each stands on the one before',
    violations: `select l.run_id as subject, format('%s stands on %s, not on %s', l.commit, p.parent, l.before) as found
      from (select e.tenant_id, e.run_id, e.data->>'commit' as commit,
          coalesce(lag(e.data->>'commit') over (partition by e.tenant_id, e.run_id order by e.seq), r.base_commit) as before
        from ralph_events e join ralph_runs r on r.tenant_id = e.tenant_id and r.id = e.run_id
        where e.type = 'landed' and r.retry_of is null and not exists (select from ralph_questions q
          where q.tenant_id = r.tenant_id and q.run_id = r.id and q.kind = 'branch_moved')) l
      join lateral (select case p.kind when 'land' then p.result->>'parent' else p.base end as parent from ralph_steps p
        where p.tenant_id = l.tenant_id and p.run_id = l.run_id and p.kind in ('check', 'land')
          and p.result->>'commit' = l.commit limit 1) p on true
      where p.parent is distinct from l.before`,
  },
  {
    statement: 'a story that is passed or failed is in no phase, and a running one is in one',
    violations: `select run_id as subject, format('%s %s in phase %s', story_id, status, phase) as found
      from ralph_stories where (status = 'running') <> (phase is not null)`,
  },
  {
    statement: 'a run that completed has passed every story, and one that is over has none at work',
    violations: `select r.id as subject, format('%s, %s is %s', r.status, s.story_id, s.status) as found
      from ralph_runs r join ralph_stories s on s.tenant_id = r.tenant_id and s.run_id = r.id
      where r.status in ${over} and (s.status in ('pending', 'running') or r.status = 'completed' and s.status <> 'passed')`,
  },
  {
    statement: 'no story is judged more often than it may',
    violations: `select s.run_id as subject, format('%s iteration %s of %s', s.story_id, s.iteration, r.max_iterations) as found
      from ralph_stories s join ralph_runs r on r.tenant_id = s.tenant_id and r.id = s.run_id
      where s.iteration > r.max_iterations + s.extra_iterations`,
  },
  {
    statement: 'the iteration of a story is the number of its judged attempts',
    violations: `select s.run_id as subject, format('%s iteration %s, %s judged', s.story_id, s.iteration, a.n) as found
      from ralph_stories s cross join lateral (select count(*) as n from ralph_attempts a where a.tenant_id = s.tenant_id
        and a.run_id = s.run_id and a.story_id = s.story_id and a.status in ('passed', 'failed')) a
      where s.carried_from is null and s.iteration <> a.n`,
  },
];

const ofTheAttempts: readonly Invariant[] = [
  {
    statement: 'a story has one open attempt at most, and only while it runs',
    violations: `select a.run_id as subject, format('%s (%s): %s open attempts', a.story_id, s.status, count(*)) as found
      from ralph_attempts a join ralph_stories s on s.tenant_id = a.tenant_id and s.run_id = a.run_id and s.story_id = a.story_id
      where a.status = 'open' group by a.tenant_id, a.run_id, a.story_id, s.status having count(*) > 1 or s.status <> 'running'`,
  },
  {
    statement: 'a story passed by one attempt',
    violations: `select a.run_id as subject, format('%s: %s passed attempts', a.story_id, count(*)) as found
      from ralph_attempts a where a.status = 'passed' group by a.tenant_id, a.run_id, a.story_id having count(*) > 1`,
  },
  {
    statement: 'an iteration was judged once',
    violations: `select a.run_id as subject, format('%s iteration %s: judged %s times', a.story_id, a.n, count(*)) as found
      from ralph_attempts a where a.status in ('passed', 'failed')
      group by a.tenant_id, a.run_id, a.story_id, a.n having count(*) > 1`,
  },
  {
    statement: 'an attempt that is over has an end, one that is open has none',
    violations: `select run_id as subject, format('%s iteration %s %s ended %s', story_id, n, status, ended_at) as found
      from ralph_attempts where (status = 'open') <> (ended_at is null)`,
  },
];

const ofTheSteps: readonly Invariant[] = [
  {
    statement: 'a live step has its task, and a task of a step its step while there is the run',
    violations: `select coalesce(t.id, s.task_id) as subject, format('step %s, task %s', s.id, t.id) as found
      from ralph_steps s full join (select t.* from tasks t join ralph_runs r on r.tenant_id = t.tenant_id and r.id = t.step_run_id) t
        on t.tenant_id = s.tenant_id and t.id = s.task_id and t.step_run_id = s.run_id
      where s.id is null or t.id is null and s.status in ${live}`,
  },
  {
    statement: 'a story has one live step at most',
    violations: `select run_id as subject, format('%s: %s live steps', coalesce(story_id, 'the run'), count(*)) as found
      from ralph_steps where status in ${live} group by tenant_id, run_id, story_id having count(*) > 1`,
  },
  {
    statement: 'no step is live for a run that is over, but its publish',
    violations: `select s.run_id as subject, format('%s %s of a run %s', s.kind, s.status, r.status) as found
      from ralph_steps s join ralph_runs r on r.tenant_id = s.tenant_id and r.id = s.run_id
      where s.status in ${live} and s.kind <> 'publish' and r.status in ${over}`,
  },
  {
    statement: 'no task of a step outlives its step',
    violations: `select t.id as subject, format('task %s of a step %s', t.status, s.status) as found
      from tasks t join ralph_steps s on s.tenant_id = t.tenant_id and s.task_id = t.id
      where t.status not in ${over} and s.status not in ${live}`,
  },
  {
    statement: 'no step was done twice',
    violations: `select run_id as subject, format('%s of %s iteration %s: %s times', kind, coalesce(story_id, 'the run'), n, count(*))
        as found
      from ralph_steps where status = 'ok'
      group by tenant_id, run_id, story_id, n, try, kind, base, candidate, head having count(*) > 1`,
  },
  {
    statement: 'a run that is not over waits for a step, an answer, a person who resumes it, or a time',
    violations: `select r.id as subject, r.status as found from ralph_runs r
      where r.status not in ${over} and r.status <> 'paused' and r.due_at is null
        and not exists (select from ralph_steps s where s.tenant_id = r.tenant_id and s.run_id = r.id and s.status in ${live})
        and not exists (select from ralph_questions q where q.tenant_id = r.tenant_id and q.run_id = r.id and q.answered_at is null)`,
  },
];

/**
 * Looks at every run and every task of every tenant. Decisions that a test makes up need not keep these promises.
 * @returns one line for each row that breaks a promise; empty when all is whole
 */
export async function checkRunInvariants(db: Database): Promise<string[]> {
  const ofRuns = await findViolations(db, [...ofTheRecord, ...ofTheStories, ...ofTheAttempts, ...ofTheSteps]);
  return [...ofRuns, ...(await checkInvariants(db))];
}
