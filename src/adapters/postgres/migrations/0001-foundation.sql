-- The first tables: tenants, codebases, workers, tasks with their runs, log and messages, sessions.
--
-- Every table carries tenant_id NOT NULL first in its keys, and row-level security that is FORCED, so that it
-- binds the owner too. a2a_app sees the tenant named by the transaction-local setting app.current_tenant_id
-- (after a commit that setting is '' and not NULL: hence nullif); a2a_admin is for named crossings. document 1 §5.8.

create table tenants (
  tenant_id  text primary key check (tenant_id ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  name       text not null,
  created_at timestamptz not null default now()
);

-- Codebases. The name `workspaces` is the document's (document 1 §2.11).
create table workspaces (
  tenant_id      text not null references tenants,
  codebase_id    text not null,
  name           text not null,
  path           text not null,
  description    text not null default '',
  worker_id      uuid,                      -- set: goes to this worker alone (document 1 §3.4)
  workspace_mode text not null default 'worktree' check (workspace_mode in ('worktree', 'in_place')),
  created_by     text not null,
  created_at     timestamptz not null default now(),
  primary key (tenant_id, codebase_id)
);

create table workers (
  tenant_id         text not null references tenants,
  worker_id         uuid not null,
  subject           text not null,          -- the credential it registered with
  name              text not null,
  capabilities      text[] not null default '{}',
  hostname          text not null default '',
  version           text not null default '',
  agents            text[] not null default '{}',
  models            text[] not null default '{}',
  slots             integer not null default 1 check (slots > 0),
  registered_at     timestamptz not null default now(),
  last_heartbeat_at timestamptz not null default now(),
  unregistered_at   timestamptz,
  tasks_completed   bigint not null default 0,
  primary key (tenant_id, worker_id),
  unique (tenant_id, subject, name)
) with (fillfactor = 70);

-- Which worker holds which codebase, and where on its machine.
create table codebase_bindings (
  tenant_id   text not null,
  codebase_id text not null,
  worker_id   uuid not null,
  path        text not null,
  created_at  timestamptz not null default now(),
  primary key (tenant_id, codebase_id, worker_id),
  foreign key (tenant_id, codebase_id) references workspaces on delete cascade,
  foreign key (tenant_id, worker_id) references workers on delete cascade
);
create index codebase_bindings_by_worker on codebase_bindings (tenant_id, worker_id);

-- A route is what a task asks of a worker, each distinct combination once. The claim looks up the few routes a
-- worker may serve, then takes the head of each: a deep queue that this worker cannot serve costs it nothing.
-- used_at lets housekeeping drop routes nobody uses without racing a submit (functions/queue-submit.sql).
create table routes (
  tenant_id             text not null references tenants,
  route_id              text not null,      -- opaque; a hash of the four below
  codebase_id           text,
  required_capabilities text[] not null default '{}',
  target_agent          text,
  target_worker_id      uuid,
  used_at               timestamptz not null default now(),
  primary key (tenant_id, route_id)
);

create table tasks (
  tenant_id             text not null,
  id                    uuid not null,
  status                text not null default 'pending'
                        check (status in ('pending', 'running', 'needs_input', 'completed', 'failed', 'cancelled')),
  priority              smallint not null default 0 check (priority between 0 and 100),
  route_id              text not null,
  run_id                uuid not null,      -- of the running or next attempt
  attempt               integer not null default 0,
  max_attempts          integer not null,
  epoch                 bigint not null default 0,
  worker_id             uuid,
  lease_token           uuid,
  lease_expires_at      timestamptz,
  lease_seen            boolean not null default false,
  lease_n               bigint not null default 0,   -- highest event number taken under this lease
  last_seq              bigint not null default 1,
  releases              integer not null default 0,
  held_back             boolean not null default false, -- some worker must not be offered it: task_holds says which
  created_at            timestamptz not null default now(),
  updated_at            timestamptz not null default now(),
  started_at            timestamptz,
  completed_at          timestamptz,
  deadline_at           timestamptz,
  title                 text not null,
  prompt                text not null,
  agent_type            text,
  model                 text,
  codebase_id           text,
  target_agent          text,
  target_worker_id      uuid,
  required_capabilities text[] not null default '{}',
  conversation_id       text,
  created_by            text not null,
  webhook_url           text,
  retry_of              uuid,
  metadata              jsonb not null default '{}',
  result                text,
  error                 jsonb,
  usage                 jsonb,
  primary key (tenant_id, id)               -- ids are in time order: this index serves the lists too
) with (fillfactor = 80);
-- The claim's index: pending rows only, tenant and route first. Finished rows are not in it, so they may stay in
-- the table until retention takes them.
create index tasks_pending on tasks (tenant_id, route_id, priority desc, id) where status = 'pending';
-- Running rows: the reaper reads them all (as many as there are busy slots), a renewal changes no index.
create index tasks_running on tasks (tenant_id, worker_id) where status = 'running';
create index tasks_deadline on tasks (deadline_at)
  where deadline_at is not null and status in ('pending', 'running', 'needs_input');
create index tasks_by_conversation on tasks (tenant_id, conversation_id, id) where conversation_id is not null;

-- The states, once more, where nobody can go around them. choices §2; the same table is domain/model/task/task-state.ts.
create function guard_task_state() returns trigger language plpgsql as $$
begin
  if not (case old.status
    when 'pending' then new.status in ('running', 'cancelled', 'failed')
    when 'running' then new.status in ('completed', 'failed', 'cancelled', 'needs_input', 'pending')
    when 'needs_input' then new.status in ('pending', 'cancelled', 'failed')
    else false
  end) then
    raise exception 'task % cannot go from % to %', old.id, old.status, new.status using errcode = 'SY409';
  end if;
  return new;
end $$;
create trigger tasks_guard_state before update of status on tasks
  for each row when (old.status is distinct from new.status) execute function guard_task_state();

-- One row for each claim. `counted` is false where the attempt was given back (choices §2).
-- No foreign key: rows are written by the queue's functions under the task's row lock, and the check would cost
-- a lookup and a row lock for each claim.
create table task_runs (
  tenant_id  text not null,
  task_id    uuid not null,
  epoch      bigint not null,
  run_id     uuid not null,
  worker_id  uuid not null,
  lease_token uuid not null,                -- stays here, so that an equal repeat of a release is recognised
  attempt    integer not null,
  status     text not null default 'running'
             check (status in ('running', 'completed', 'failed', 'cancelled', 'needs_input', 'released', 'lost')),
  counted    boolean not null default true,
  started_at timestamptz not null default now(),
  ended_at   timestamptz,
  error      jsonb,
  usage      jsonb,
  primary key (tenant_id, task_id, epoch)
);

-- The durable log: what every follower reads. seq is given out under the task's row lock and has no gap.
-- No foreign key, for the reason above.
create table task_events (
  tenant_id text not null,
  task_id   uuid not null,
  seq       bigint not null,
  type      text not null check (type in ('status', 'output', 'progress', 'message', 'artifact', 'checkpoint')),
  at        timestamptz not null default now(),
  data      jsonb not null,
  primary key (tenant_id, task_id, seq)
);

-- Where in the log an artifact's content lies; the content itself is stored once, in the log.
create table task_artifacts (
  tenant_id   text not null,
  task_id     uuid not null,
  artifact_id text not null,
  name        text not null,
  mime_type   text not null,
  first_seq   bigint not null,
  last_seq    bigint not null,
  size        bigint not null,
  created_at  timestamptz not null default now(),
  primary key (tenant_id, task_id, artifact_id),
  foreign key (tenant_id, task_id) references tasks on delete cascade
);

-- The exchange with a task's agent beyond its prompt: first message as given, questions, answers.
create table task_messages (
  tenant_id  text not null,
  task_id    uuid not null,
  n          integer not null,
  message_id text not null,
  role       text not null check (role in ('user', 'agent')),
  parts      jsonb not null,
  metadata   jsonb not null default '{}',
  at         timestamptz not null default now(),
  primary key (tenant_id, task_id, n),
  foreign key (tenant_id, task_id) references tasks on delete cascade
);

-- Workers that are not offered a task: for 30 s after they released it, for ever after they declined a path.
create table task_holds (
  tenant_id  text not null,
  task_id    uuid not null,
  worker_id  uuid not null,
  held_until timestamptz not null,
  primary key (tenant_id, task_id, worker_id),
  foreign key (tenant_id, task_id) references tasks on delete cascade
);

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

create table sessions (
  tenant_id        text not null,
  codebase_id      text not null,
  session_id       text not null,
  worker_id        uuid,
  title            text not null default '',
  agent            text,
  started_at       timestamptz,
  last_activity_at timestamptz not null default now(),
  message_count    integer not null default 0,
  tool_usage       jsonb not null default '{}',
  metadata         jsonb not null default '{}',
  primary key (tenant_id, codebase_id, session_id),
  foreign key (tenant_id, codebase_id) references workspaces on delete cascade
);
create table session_messages (
  tenant_id   text not null,
  codebase_id text not null,
  session_id  text not null,
  message_id  text not null,
  role        text not null,
  summary     text not null default '',
  tool_usage  jsonb not null default '{}',
  at          timestamptz not null default now(),
  primary key (tenant_id, codebase_id, session_id, message_id),
  foreign key (tenant_id, codebase_id, session_id) references sessions on delete cascade
);

do $$
declare t text;
begin
  foreach t in array array['tenants', 'workspaces', 'workers', 'codebase_bindings', 'routes', 'tasks', 'task_runs',
    'task_events', 'task_artifacts', 'task_messages', 'task_holds', 'idempotency_keys', 'sessions', 'session_messages']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant_isolation on %I to a2a_app
      using (tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))
      with check (tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))', t);
    execute format('create policy admin_crossing on %I to a2a_admin using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to a2a_app, a2a_admin', t);
  end loop;
end $$;
-- Tenants come and go by an admin's crossing alone.
revoke insert, update, delete on tenants from a2a_app;
-- The start of a replica looks here whether the schema is its own version's.
grant select on schema_migrations to a2a_app, a2a_admin;
