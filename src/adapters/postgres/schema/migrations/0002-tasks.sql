-- Tasks: what they demand of a worker, the tasks themselves, their attempts, holds, idempotency keys and reviews.

-- One row per distinct combination of requirements that tasks have of a worker. A claim reads the few routes that its
-- worker may serve, then the head of each: a deep queue that this worker cannot serve costs it nothing.
create table routes (
  tenant_id             text not null references tenants,
  route_id              text not null,      -- opaque; a hash of the four columns below
  codebase_id           text,
  required_capabilities text[] not null default '{}',
  target_agent          text,
  target_worker_id      uuid,
  -- Housekeeping drops unused routes by it without racing a submit (functions/tasks/queue-route.sql).
  used_at               timestamptz not null default now(),
  primary key (tenant_id, route_id)
);
-- A claim reads the routes of its worker's codebases. Without this index it read every route of the tenant: 5 ms for a
-- claim beside 5,000 routes of other codebases, 1 ms with it.
create index routes_by_codebase on routes (tenant_id, codebase_id);
select make_tenant_table('routes');

-- One row per task, from its submit until retention deletes it. Functions move the status, and a trigger rejects every
-- move that the state table does not have (../generated-functions.ts). Lease columns are of the running attempt.
-- `has_push_configs` and `has_interventions` spare triggers and heartbeats a read of other tables.
create table tasks (
  tenant_id             text not null,
  id                    uuid not null,
  status                text not null default 'pending'
                        check (status in ('pending', 'running', 'needs_input', 'completed', 'failed', 'cancelled')),
  priority              smallint not null default 0 check (priority between 0 and 100),
  route_id              text not null,
  run_id                uuid not null,      -- of the running or next attempt
  attempt               integer not null default 0, -- attempts that count: one that is given back is subtracted
  max_attempts          integer not null,
  epoch                 bigint not null default 0, -- raised by each claim and never lowered
  worker_id             uuid,
  lease_token           uuid,               -- kept after a finish: a repeat and late artifacts are recognised by it
  lease_expires_at      timestamptz,
  lease_seen            boolean not null default false, -- the worker has named this lease at least once
  last_event_n          bigint not null default 0, -- highest event number accepted under this lease
  last_seq              bigint not null default 1, -- of the last event in the task's log
  releases              integer not null default 0,
  held_back             boolean not null default false, -- some worker must not be offered it: task_holds says which
  created_at            timestamptz not null default now(),
  updated_at            timestamptz not null default now(),
  started_at            timestamptz,
  completed_at          timestamptz,        -- when it reached a terminal status, whichever that is
  deadline_at           timestamptz,
  title                 text not null,
  prompt                text not null,
  agent_type            text,
  model                 text,
  codebase_id           text,               -- may also be 'global' or '__pending__', which have no row in workspaces
  target_agent          text,
  target_worker_id      uuid,
  required_capabilities text[] not null default '{}',
  conversation_id       text,
  created_by            text not null,
  webhook_url           text,
  retry_of              uuid,
  metadata              jsonb not null default '{}',
  result                text,
  error                 jsonb,              -- {code, message, …}
  usage                 jsonb,
  has_push_configs      boolean not null default false, -- it has, or had, push configs
  has_interventions     boolean not null default false, -- it has, or had, interventions
  checkpoint_seq        bigint,             -- of the event that holds the last checkpoint
  -- The trace of its submit, in the form of W3C Trace Context; sent to the worker with the task, and to receivers with
  -- each delivery. Null: the submit had none.
  traceparent           text check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'),
  topic                 text,               -- of the component of the service that made it, and is notified at its rest
  outbox_seq            bigint,             -- of the status whose outbox rows are written already
  -- All artifact bytes ever accepted, including replaced artifacts: they stay in the log. Summing task_artifacts
  -- instead would cost each report more, and would miss the replaced ones.
  artifact_bytes        bigint not null default 0,
  step                  jsonb,              -- of an autonomous run, which the task carries out; the director alone sets it
  step_run_id           uuid,               -- the run's id in it
  -- The columns below are written by statements that write the row anyway. None that a report changes is in an index, because
  -- each report would write the index too.
  last_event_at         timestamptz not null default now(), -- of the last event in its log
  output_seq            bigint,             -- of the last event of its output
  paused_at             timestamptz,        -- since when its agent has confirmed a pause
  changes               jsonb,              -- of its newest diff: {files, added, removed}
  follows               uuid,               -- the task whose review it carries out
  output_lines          bigint not null default 0, -- line breaks in all output so far
  primary key (tenant_id, id)               -- serves the lists too
) with (fillfactor = 80);
-- The claim's index: pending rows only, tenant and route first. Finished rows are not in it, so they may stay in the
-- table until retention deletes them.
create index tasks_pending on tasks (tenant_id, route_id, priority desc, id) where status = 'pending';
-- The reaper reads all running rows (as many as there are busy slots). A renewal changes no index.
create index tasks_running on tasks (tenant_id, worker_id) where status = 'running';
create index tasks_deadline on tasks (deadline_at)
  where deadline_at is not null and status in ('pending', 'running', 'needs_input');
create index tasks_by_conversation on tasks (tenant_id, conversation_id, id) where conversation_id is not null;
-- The next three serve A2A's lists, newest status first (store/rows/tasks/task-lists.ts). Most tasks are finished:
-- completed_at is written once, at the right edge of the index.
create index tasks_finished on tasks (tenant_id, completed_at, id) where completed_at is not null;
-- There may be as many pending tasks. Nothing updates them while they wait.
create index tasks_waiting on tasks (tenant_id, updated_at, id) where status = 'pending';
-- Tasks in running and needs_input are few, and are sorted when read. Running tasks have an index by worker.
create index tasks_needs_input on tasks (tenant_id, id) where status = 'needs_input';
create index tasks_by_step_run on tasks (tenant_id, step_run_id, id) where step_run_id is not null;
-- The indexes below serve filters and orders of lists. Each holds few rows, so that submit, claim and finish of an ordinary
-- task write none of them. Failed and cancelled tasks: their tabs, counts, and the search for an error's code. ui-6.1.
create index tasks_unsuccessful on tasks (tenant_id, status, id) where status in ('failed', 'cancelled');
create index tasks_by_retry on tasks (tenant_id, retry_of, id) where retry_of is not null;
-- The list by priority: tasks without one follow in the order of the primary key.
create index tasks_prioritized on tasks (tenant_id, priority, id) where priority > 0;
create index tasks_by_follows on tasks (tenant_id, follows, id) where follows is not null;
select make_tenant_table('tasks');

-- One row per task and worker that must not be offered it: for a while after a release, for ever ('infinity') after the
-- worker refused the task's codebase or path.
create table task_holds (
  tenant_id  text not null,
  task_id    uuid not null,
  worker_id  uuid not null,
  held_until timestamptz not null,
  primary key (tenant_id, task_id, worker_id),
  foreign key (tenant_id, task_id) references tasks on delete cascade
);
-- Permanent holds are read when a worker's codebases or roots change.
create index task_holds_permanent on task_holds (tenant_id, worker_id) where held_until = 'infinity';
select make_tenant_table('task_holds');

-- One row per idempotency key that a credential used, with the task of the first call.
create table idempotency_keys (
  tenant_id  text not null,
  subject    text not null,
  operation  text not null,                 -- method and path, or the protocol's method
  key        text not null,
  body_hash  text not null,
  task_id    uuid not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, subject, operation, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
select make_tenant_table('idempotency_keys');

-- One row per claim of a task. No foreign key: rows are written by the queue's functions under the task's row lock, and
-- the check would cost a lookup and a row lock per claim. The fill factor leaves space for the update that ends the
-- attempt on the same page, so that its key is not written twice.
create table task_runs (
  tenant_id      text not null,
  task_id        uuid not null,
  epoch          bigint not null,
  run_id         uuid not null,
  worker_id      uuid not null,
  lease_token    uuid not null,             -- kept, so that an equal repeat of a release is recognised
  attempt        integer not null,
  status         text not null default 'running'
                 check (status in ('running', 'completed', 'failed', 'cancelled', 'needs_input', 'released', 'lost')),
  counted        boolean not null default true, -- false: the attempt was given back (choices-2)
  started_at     timestamptz not null default now(),
  ended_at       timestamptz,
  error          jsonb,
  usage          jsonb,
  -- Digest of the complete release that ended the attempt: a repeat has an equal digest, a release that differs in any part
  -- does not. Null where the attempt ended otherwise.
  release_digest text,
  first_seq      bigint not null,           -- of the event with which the attempt begins
  primary key (tenant_id, task_id, epoch)
) with (fillfactor = 60);
select make_tenant_table('task_runs');

-- One row per task and caller who reviews it: comments that were not sent to the agent yet.
create table task_reviews (
  tenant_id  text not null,
  task_id    uuid not null,
  subject    text not null,                 -- the caller; nobody else sees the draft
  comments   jsonb not null,                -- [{path?, side?, line?, end_line?, quote?, text}]
  viewed     jsonb not null default '[]',   -- paths
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, task_id, subject),
  foreign key (tenant_id, task_id) references tasks on delete cascade
);
select make_tenant_table('task_reviews');
