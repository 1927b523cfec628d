// Everything that the director decides from, beside the run itself, in one statement.
import type { OwnerRecords } from '../../../../../domain/model/access/acting-owner.ts';
import type { PrdRun } from '../../../../../domain/model/run/run.ts';
import { bundleArtifact, stepArtifact, stepCapability } from '../../../../../domain/model/run/step.ts';
import type { RunState } from '../../../../../domain/ports/store/runs.ts';
import {
  attemptColumns,
  isoText,
  objectOf,
  questionColumns,
  stepColumns,
  storyColumns,
} from '../../../codec/run-columns.ts';
import type { Scope } from '../scope.ts';
import { evidenceObject } from './run-record-rows.ts';

/** The result of a step without what only readers need: tails of output, and the diff of changed tests. */
const brief = `case when s.result ? 'results' then
    s.result || jsonb_build_object('results',
      (select coalesce(jsonb_agg(x || '{"tail": ""}'), '[]') from jsonb_array_elements(s.result->'results') x))
      || case when s.result ? 'protected_diff' then '{"protected_diff": ""}' else '{}' end::jsonb
  else s.result end`;

/** The content of the artifact `step`: {data}, or {text}; null: the task left none. */
const answer = `(select case when count(*) = 0 then null
      when bool_or(e.data ? 'data') then json_build_object('data', (array_agg(e.data->'data' order by e.seq desc))[1])
      else json_build_object('text', string_agg(e.data->>'text', '' order by e.seq)) end
    from task_artifacts a join task_events e on e.tenant_id = a.tenant_id and e.task_id = a.task_id
      and e.seq between a.first_seq and a.last_seq and e.type = 'artifact' and e.data->>'artifact_id' = a.artifact_id
    where a.tenant_id = t.tenant_id and a.task_id = t.id and a.name = '${stepArtifact}')`;

const question = `(select string_agg(p->>'text', E'\\n' order by o)
    from (select m.parts from task_messages m where m.tenant_id = t.tenant_id and m.task_id = t.id and m.role = 'agent'
      order by m.n desc limit 1) m, jsonb_array_elements(m.parts) with ordinality as e(p, o))`;

const bundle = `(select a.artifact_id from task_artifacts a
    where a.tenant_id = t.tenant_id and a.task_id = t.id and a.name = '${bundleArtifact}' order by a.first_seq desc limit 1)`;

/** The task of an open step; its answer is read once it is complete, and its question while it asks. */
const stepTask = `(select json_build_object('status', t.status, 'error', t.error, 'usage', t.usage, 'workerId', t.worker_id,
    'answer', case when t.status = 'completed' then ${answer} end,
    'bundleArtifactId', case when t.status = 'completed' then ${bundle} end,
    'question', case when t.status = 'needs_input' then ${question} end)
  from tasks t where t.tenant_id = s.tenant_id and t.id = s.task_id)`;

function list(value: string, from: string, order: string): string {
  return `(select coalesce(json_agg(${value} order by ${order}), '[]') from ${from})`;
}

// $1 tenant, $2 run, $3 codebase, $4 owner, $5 seconds after which a worker counts as offline, $6 API key.
const text = `select json_build_object(
  'stories', ${list(objectOf(storyColumns, 's'), 'ralph_stories s where s.tenant_id = $1 and s.run_id = $2', 's.position')},
  'attempts', ${list(objectOf(attemptColumns, 'a'), 'ralph_attempts a where a.tenant_id = $1 and a.run_id = $2', 'a.started_at, a.story_id, a.n, a.try')},
  'openSteps', ${list(
    `json_build_object('step', ${objectOf(stepColumns, 's')}, 'task', ${stepTask})`,
    `ralph_steps s where s.tenant_id = $1 and s.run_id = $2 and s.status in ('open', 'asking')`,
    's.id',
  )},
  'endedSteps', ${list(
    objectOf(stepColumns, 's', { result: brief }),
    `ralph_steps s where s.tenant_id = $1 and s.run_id = $2 and s.status not in ('open', 'asking')`,
    's.id',
  )},
  'questions', ${list(objectOf(questionColumns, 'q'), 'ralph_questions q where q.tenant_id = $1 and q.run_id = $2', 'q.id')},
  'evidence', ${list(
    evidenceObject,
    `ralph_evidence e join ralph_stories s on s.tenant_id = e.tenant_id and s.run_id = e.run_id and s.story_id = e.story_id
       where e.tenant_id = $1 and e.run_id = $2
         and (s.status = 'running' and e.n > s.iteration or s.status = 'passed' and e.n >= s.iteration)`,
    'e.id',
  )},
  'workers', ${list(
    `json_build_object('workerId', w.worker_id, 'online', w.online, 'agents', w.agents,
       'offlineSince', case when not w.online then ${isoText('least(w.last_heartbeat_at, w.drained_at)')} end)`,
    `(select w.*, w.last_heartbeat_at > now() - make_interval(secs => $5) and w.drained_at is null as online from workers w
       join codebase_bindings b on b.tenant_id = w.tenant_id and b.worker_id = w.worker_id and b.codebase_id = $3
       join workspaces c on c.tenant_id = b.tenant_id and c.codebase_id = b.codebase_id
       where w.tenant_id = $1 and w.unregistered_at is null and '${stepCapability}' = any (w.capabilities)
         and (c.worker_id is null or c.worker_id = w.worker_id)) w`,
    'w.worker_id',
  )},
  'activeRuns', (select count(*) from ralph_runs r where r.tenant_id = $1 and r.id <> $2
    and r.status in ('running', 'needs_input')),
  'owner', json_build_object(
    'user', (select json_build_object('roles', u.roles, 'status', u.status) from users u
      where u.tenant_id = $1 and u.user_id = $4),
    'isKeyValid', $6::uuid is null or exists (select from api_keys k where k.tenant_id = $1 and k.key_id = $6
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())))
) as state`;

export async function runState(scope: Scope, run: PrdRun, offlineAfterSeconds: number): Promise<RunState> {
  const [row] = await scope.query<{ state: Omit<RunState, 'owner'> & { owner: OwnerJson } }>('run_state', text, [
    scope.tenantId,
    run.id,
    run.codebaseId,
    run.createdBy,
    offlineAfterSeconds,
    run.keyId,
  ]);
  if (row === undefined) throw new Error('a statement without a table answered no row');
  const { owner, ...state } = row.state;
  return { ...state, owner: { ...owner, user: owner.user ?? undefined } };
}

interface OwnerJson {
  readonly user: OwnerRecords['user'] | null;
  readonly isKeyValid: boolean;
}
