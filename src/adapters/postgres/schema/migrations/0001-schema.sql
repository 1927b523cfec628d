-- The whole schema, by nouns: tenants, tasks, attempts, log, outbox, workers, codebases, conversations, identity,
-- audit, tools, ledgers. A comment above each table says what a row is. Later changes are migrations of their own: this
-- file never changes after a release.
--
-- Every table of a tenant's rows carries tenant_id NOT NULL first in its keys and is passed to make_tenant_table.
-- Timestamps are the database's own. UUIDs made by the service are version 7, so ids are in time order.

-- Makes a table a tenant's: row-level security, forced so that it binds the owner too. a2a_app sees the tenant named by
-- the transaction-local setting app.current_tenant_id (after a commit that setting is '' and not NULL: hence nullif);
-- a2a_admin is for named cross-tenant queries. core-5.8.
create function make_tenant_table(
  p_table regclass, p_privileges text default 'select, insert, update, delete'
) returns void language plpgsql as $$
declare
  tenant text := '(tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))';
begin
  execute format('alter table %s enable row level security', p_table);
  execute format('alter table %s force row level security', p_table);
  execute format('create policy tenant_isolation on %s to a2a_app using %s with check %s', p_table, tenant, tenant);
  execute format('create policy admin_cross_tenant on %s to a2a_admin using (true) with check (true)', p_table);
  execute format('grant %s on %s to a2a_app, a2a_admin', p_privileges, p_table);
end $$;

-- Each replica checks at start that the schema is of its own version.
grant select on schema_migrations to a2a_app, a2a_admin;

-- Tenants

-- One row per tenant.
create table tenants (
  tenant_id  text primary key check (tenant_id ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  name       text not null,
  created_at timestamptz not null default now()
);
-- Only a cross-tenant query of an admin creates or deletes tenants.
select make_tenant_table('tenants');
revoke insert, update, delete on tenants from a2a_app;

-- Tasks

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

-- Attempts

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
  primary key (tenant_id, task_id, epoch)
) with (fillfactor = 60);
select make_tenant_table('task_runs');

-- Log

-- One row per event of a task: the durable log that all followers read. No foreign key, as in task_runs.
create table task_events (
  tenant_id text not null,
  task_id   uuid not null,
  seq       bigint not null,                -- counted under the task's row lock, without gaps
  type      text not null
            check (type in ('status', 'output', 'progress', 'message', 'artifact', 'checkpoint', 'intervention')),
  at        timestamptz not null default now(),
  data      jsonb not null,
  -- The writing transaction: the order over the logs of many tasks. A sequence would assign its number before the
  -- commit, and a reader past a number would miss rows that commit under it later. All rows of transactions older than
  -- the oldest running one are visible, so readers stay below that one (store/rows/tasks/log-rows.ts).
  xid       xid8 not null default pg_current_xact_id(),
  -- The first message of a task, stored with its first event: a row of its own, with its index entry and its foreign
  -- key, cost a quarter of a submit. Later messages are in later_messages.
  message   jsonb,
  primary key (tenant_id, task_id, seq)
);
-- Excludes output and progress, the bulk of a log.
create index task_events_in_order on task_events (tenant_id, xid, task_id, seq) where type in ('status', 'message');
-- Messages and outcomes by task: a conversation is read without its tasks' output. A task without messages has one
-- entry.
create index task_events_conversation on task_events (tenant_id, task_id, seq)
  where type = 'message' or (type = 'status' and (data ? 'question' or data @> '{"final": true}'));
select make_tenant_table('task_events');

-- One row per artifact of a task: the position of its content in the log, the only place that stores it.
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
select make_tenant_table('task_artifacts');

-- One row per message of a task after its first: the agent's questions, and the answers.
create table later_messages (
  tenant_id  text not null,
  task_id    uuid not null,
  n          integer not null,              -- from 2 where the task began with a message, which has number 1
  message_id text not null,
  role       text not null check (role in ('user', 'agent')),
  parts      jsonb not null,
  metadata   jsonb not null default '{}',
  at         timestamptz not null default now(),
  primary key (tenant_id, task_id, n),
  foreign key (tenant_id, task_id) references tasks on delete cascade
);
select make_tenant_table('later_messages');

-- All messages of a task beyond its prompt, including the first.
create view task_messages with (security_invoker = true) as
  select tenant_id, task_id, 1 as n, message->>'message_id' as message_id, 'user' as role, message->'parts' as parts,
    coalesce(message->'metadata', '{}') as metadata, at
  from task_events where seq = 1 and message is not null
  union all
  select tenant_id, task_id, n, message_id, role, parts, metadata, at from later_messages;
grant select on task_messages to a2a_app, a2a_admin;

-- One row per instruction of a person to a running agent. choices-3 and choices-5.
create table interventions (
  tenant_id       text not null,
  intervention_id uuid not null,
  task_id         uuid not null,
  action          text not null check (action in ('message', 'pause', 'resume', 'cancel')),
  message         text,
  message_id      text,                     -- of the same message among the task's messages
  -- queued: not sent yet; sent: on its way to a worker; delivered: confirmed by that worker; applied: no attempt ran.
  status          text not null default 'queued' check (status in ('queued', 'sent', 'delivered', 'failed', 'applied')),
  reason          text,                     -- why it failed
  worker_id       uuid,                     -- of the worker it was last sent to
  created_by      text not null,
  created_at      timestamptz not null default now(),
  sent_at         timestamptz,
  settled_at      timestamptz,
  primary key (tenant_id, intervention_id),
  foreign key (tenant_id, task_id) references tasks on delete cascade
);
create index interventions_by_task on interventions (tenant_id, task_id, intervention_id);
create index interventions_open on interventions (tenant_id, task_id, intervention_id) where status in ('queued', 'sent');
select make_tenant_table('interventions');

-- Outbox

-- One row per receiver of a task's push notifications, registered over A2A. core-6.1, a2a §1.7.
create table push_configs (
  tenant_id   text not null,
  task_id     uuid not null,
  config_id   text not null,
  url         text not null,
  token       text,                         -- sent with each notification as X-A2A-Notification-Token
  scheme      text,                         -- Authorization: <scheme> <credentials>
  credentials text,
  wire        text not null,                -- protocol version in which notifications are written
  created_by  text not null,
  created_at  timestamptz not null default now(),
  primary key (tenant_id, task_id, config_id),
  foreign key (tenant_id, task_id) references tasks on delete cascade
);
select make_tenant_table('push_configs');

-- One row per webhook or push notification to send. The transaction that moves the task writes the row
-- (functions/deliveries/outbox.sql). The body is stored once, so each attempt sends the same bytes under the same id.
-- No foreign key: rows are written under the task's row lock, and housekeeping deletes them with the task.
-- A delivery costs an insert and an update, and each index written by both is expensive: hence one key, led by the
-- task, and a fill factor that keeps the row version of a claim on the same page. One key also leaves the planner one
-- way to find a named row.
create table deliveries (
  tenant_id     text not null,
  delivery_id   uuid not null,              -- each attempt sends it: receivers recognise a repeat by it
  task_id       uuid not null,
  kind          text not null check (kind in ('webhook', 'push')),
  config_id     text not null default '',   -- of a push notification's config
  seq           bigint not null,            -- of the task's event that it reports
  url           text not null,
  host          text not null,              -- host and port of the url: deliveries to one host share a bound
  body          text,                       -- null until a push notification is written in its protocol version
  content_type  text not null default 'application/json',
  status        text not null default 'pending' check (status in ('pending', 'delivered', 'dead')),
  tries         integer not null default 0, -- attempts started since it was written or requested again
  epoch         bigint not null default 0,  -- raised by each claim: a late outcome of an older attempt changes nothing
  attempts      jsonb not null default '[]', -- [{at, status_code, error}], the newest last
  due_at        timestamptz not null default now(),
  created_at    timestamptz not null default now(),
  ended_at      timestamptz,
  traceparent   text,                       -- a copy, so that the sender reads no task
  -- When the sender's claim expires. It is in no index, so that a claim is an update in place.
  claimed_until timestamptz,
  primary key (tenant_id, task_id, delivery_id)
) with (fillfactor = 50);
-- The poll steps from receiver to receiver through this index, so that a thousand rows for a slow one cost nothing.
create index deliveries_pending on deliveries (tenant_id, host, due_at) where status = 'pending';
select make_tenant_table('deliveries');

-- One row per message to a component of the service: a task of its topic came to rest. Deleted when it was handled.
create table topic_messages (
  tenant_id  text not null,
  message_id uuid not null,
  topic      text not null,
  task_id    uuid not null,
  status     text not null,
  seq        bigint not null,               -- of the task's event that it reports
  tries      integer not null default 0,    -- failed attempts to handle it
  last_error text,
  due_at     timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default now(),
  primary key (tenant_id, message_id)
);
create index topic_messages_due on topic_messages (topic, due_at);
select make_tenant_table('topic_messages');

-- One row per tenant that signs webhooks with its own secrets instead of the installation's.
create table webhook_secrets (
  tenant_id  text primary key references tenants on delete cascade,
  secrets    text[] not null check (cardinality(secrets) between 1 and 5), -- the first signs, all verify
  updated_at timestamptz not null default now()
);
select make_tenant_table('webhook_secrets');

-- Workers

-- One row per worker, identified by credential and name. Unregistering keeps the row.
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
  -- Folders of its machine in which callers may register codebases; null: it did not report any. choices-3.
  codebase_roots    text[],
  primary key (tenant_id, worker_id),
  unique (tenant_id, subject, name)
) with (fillfactor = 70);
-- A name belongs to the credential that registered it first (functions/claims/worker-names.sql).
create index workers_by_name on workers (tenant_id, name, registered_at);
select make_tenant_table('workers');

-- One row per agent that registered itself without a worker. It expires unless it is refreshed. tools-4.2.
create table agent_registrations (
  tenant_id     text not null references tenants,
  name          text not null,
  subject       text not null,              -- the credential that registered it; no other may act as this agent
  description   text not null,
  url           text,                       -- shown to callers; never fetched
  capabilities  text[] not null default '{}',
  models        text[] not null default '{}',
  registered_at timestamptz not null default now(),
  last_seen_at  timestamptz not null default now(),
  primary key (tenant_id, name)
) with (fillfactor = 70);
select make_tenant_table('agent_registrations');

-- Codebases

-- One row per codebase. The table's name is the document's (core-2.11).
create table workspaces (
  tenant_id      text not null references tenants,
  codebase_id    text not null,
  name           text not null,
  path           text not null,
  description    text not null default '',
  worker_id      uuid,                      -- set: its tasks go to this worker alone (core-3.4)
  workspace_mode text not null default 'worktree' check (workspace_mode in ('worktree', 'in_place')),
  created_by     text not null,
  created_at     timestamptz not null default now(),
  primary key (tenant_id, codebase_id)
);
select make_tenant_table('workspaces');

-- One row per codebase that a worker holds.
create table codebase_bindings (
  tenant_id   text not null,
  codebase_id text not null,
  worker_id   uuid not null,
  path        text not null,                -- on the worker's machine
  created_at  timestamptz not null default now(),
  primary key (tenant_id, codebase_id, worker_id),
  foreign key (tenant_id, codebase_id) references workspaces on delete cascade,
  foreign key (tenant_id, worker_id) references workers on delete cascade
);
create index codebase_bindings_by_worker on codebase_bindings (tenant_id, worker_id);
select make_tenant_table('codebase_bindings');

-- One row per caller that has selected a codebase: the default of its calls that name none.
create table active_codebases (
  tenant_id   text not null,
  subject     text not null,
  codebase_id text not null,
  set_at      timestamptz not null default now(),
  primary key (tenant_id, subject),
  foreign key (tenant_id, codebase_id) references workspaces on delete cascade
);
create index active_codebases_by_codebase on active_codebases (tenant_id, codebase_id);
select make_tenant_table('active_codebases');

-- Conversations

-- One row per session of an agent in a codebase, as a worker uploaded it.
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
  tool_usage       jsonb not null default '{}', -- calls by tool
  metadata         jsonb not null default '{}',
  primary key (tenant_id, codebase_id, session_id),
  foreign key (tenant_id, codebase_id) references workspaces on delete cascade
);
select make_tenant_table('sessions');

-- One row per message of such a session.
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
select make_tenant_table('session_messages');

-- Identity

-- core-5.4, choices-4. Keys and sessions are looked up by the SHA-256 of the token before the tenant is known
-- (store/credential-queries.ts); hashes of 32 random bytes need neither salt nor a slow function. The indexes on them
-- are not unique: a unique index without the tenant would reveal what exists.

-- One row per person or program known by name. Principals of configured tokens have no row: configuration defines them.
create table users (
  tenant_id  text not null references tenants,
  user_id    text not null check (length(user_id) between 1 and 300 and user_id !~ '^token:'), -- the caller's subject
  name       text not null,
  roles      text[] not null check (roles <@ array['admin', 'operator', 'editor', 'viewer', 'agent']),
  status     text not null default 'active' check (status in ('active', 'disabled')),
  source     text not null check (source in ('admin', 'provider')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, user_id)
);
select make_tenant_table('users');

-- One row per API key. No foreign key to users: the owner may be a configured token's principal. Deleting a user
-- revokes the user's keys.
create table api_keys (
  tenant_id    text not null references tenants,
  key_id       uuid not null,
  user_id      text not null,               -- the owner's subject
  name         text not null,
  prefix       text not null,               -- the first characters of the key, for lists
  hash         bytea not null check (octet_length(hash) = 32),
  scopes       text[] not null,             -- narrow the owner's permissions
  created_by   text not null,               -- the credential that created it
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  last_used_at timestamptz,                 -- to the minute
  revoked_at   timestamptz,
  primary key (tenant_id, key_id)
);
create index api_keys_by_hash on api_keys (hash);
create index api_keys_by_user on api_keys (tenant_id, user_id, key_id);
select make_tenant_table('api_keys');

-- One row per browser session. It has the permissions of the credential that opened it, and ends with that credential.
create table sign_in_sessions (
  tenant_id    text not null references tenants,
  session_id   uuid not null,
  user_id      text not null,
  name         text not null,
  hash         bytea not null check (octet_length(hash) = 32),
  roles        text[] not null,             -- of the opening credential, at that time
  scopes       text[],                      -- null: not narrowed
  created_by   text not null,               -- the opening credential
  key_id       uuid,                        -- where that is an API key
  token_mark   text,                        -- of a configured token: distinguishes it from a later token of that name
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  last_used_at timestamptz,                 -- to the minute
  primary key (tenant_id, session_id),
  foreign key (tenant_id, key_id) references api_keys on delete cascade
);
create index sign_in_sessions_by_hash on sign_in_sessions (hash);
create index sign_in_sessions_by_user on sign_in_sessions (tenant_id, user_id, session_id);
create index sign_in_sessions_by_key on sign_in_sessions (tenant_id, key_id) where key_id is not null;
select make_tenant_table('sign_in_sessions');

-- Audit

-- The audit file is the record; these tables are its copy. Recorded lines are never changed or deleted, hence the
-- narrow grants. choices-3. JSON is uncompressed text here: it is written once, kept as received and seldom read.

-- One row per call, or per group commit: the audit intents of the change, committed with it, so that a crash between
-- commit and file loses no line. The row is deleted once its lines are on disk.
create table audit_intents (
  tenant_id  text not null,
  id         uuid not null,
  replica_id text not null,                 -- the chain that will have the lines
  at         timestamptz not null default now(),
  entries    text not null,
  primary key (tenant_id, id)
);
alter table audit_intents alter column entries set storage external;
create index audit_intents_by_replica on audit_intents (replica_id, id);
select make_tenant_table('audit_intents', 'select, insert');
grant delete on audit_intents to a2a_admin;

-- One row per run of consecutive lines of one tenant in a chain, as they stand in the file. Every line is in some row:
-- the union over the tenants is the chain. Most of a line is hashes and ids.
create table audit_log (
  tenant_id text not null,
  chain     text not null,
  first_seq bigint not null,
  last_seq  bigint not null,
  last_hash text not null,
  first_id  uuid not null,                  -- least id of the lines
  last_id   uuid not null,                  -- greatest id of the lines
  from_at   timestamptz not null,
  to_at     timestamptz not null,
  entries   text not null,
  primary key (tenant_id, chain, first_seq)
);
alter table audit_log alter column entries set storage external;
-- For the pages of the audit log: newest first over all chains.
create index audit_log_newest on audit_log (tenant_id, last_id desc);
create index audit_log_by_chain on audit_log (chain, last_seq desc);
select make_tenant_table('audit_log', 'select, insert');

-- One row per signed statement of a chain's head. The file is verified against them.
create table audit_checkpoints (
  tenant_id text not null check (tenant_id = 'system'),
  chain     text not null,
  seq       bigint not null,
  hash      text not null,
  at        text not null,                  -- as signed
  key       text not null,
  signature text not null,
  primary key (tenant_id, chain, seq)
);
select make_tenant_table('audit_checkpoints', 'select, insert');

-- One row per chain, with the replica's file and when that replica last reported.
create table audit_chains (
  tenant_id  text not null check (tenant_id = 'system'),
  chain      text not null,
  public_key text not null,
  file       text not null,
  opened_at  timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (tenant_id, chain)
);
select make_tenant_table('audit_chains', 'select, insert');
grant update (last_seen_at, public_key, file) on audit_chains to a2a_admin;

-- Tools

-- One row per signed version of a tool, field by field as signed: a null is a field that the signer left out. Only the
-- `revoked_*` columns ever change. core-2.9 and core-4.8, choices-3.
create table tool_manifests (
  tenant_id         text not null,
  tool_id           text collate "C" not null,
  version           text collate "C" not null,
  sha256_hash       text not null check (sha256_hash ~ '^[0-9a-f]{64}$'), -- of the content
  signature         text not null,
  allowed_resources text[],
  max_memory_mb     bigint,
  max_cpu_seconds   bigint,
  network_allowed   boolean,
  signed_by         text not null,          -- name of the trusted key
  registered_by     text not null,
  registered_at     timestamptz not null default now(),
  revoked_at        timestamptz,
  revoked_by        text,
  primary key (tenant_id, tool_id, version)
);
select make_tenant_table('tool_manifests');

-- One row per content, shared by all versions that name its hash; never shared between tenants.
create table tool_contents (
  tenant_id   text not null,
  sha256_hash text not null,
  content     bytea not null,
  stored_at   timestamptz not null default now(),
  primary key (tenant_id, sha256_hash)
);
select make_tenant_table('tool_contents');

-- Rejects every update that clears a revocation or changes the content of a signed version.
create function keep_tool_manifest_immutable() returns trigger language plpgsql as $$
begin
  if old.revoked_at is not null and new.revoked_at is null then
    raise exception 'a revoked version of a tool stays revoked' using errcode = 'restrict_violation';
  end if;
  if (new.tenant_id, new.tool_id, new.version, new.sha256_hash) is distinct from
     (old.tenant_id, old.tool_id, old.version, old.sha256_hash) then
    raise exception 'the content of a tool version never changes' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_tool_manifest_immutable before update on tool_manifests
  for each row execute function keep_tool_manifest_immutable();

-- Ledgers

-- One row per credential whose calls were counted lately against its limit. core-8, choices-9.
create table call_windows (
  tenant_id     text not null references tenants on delete cascade,
  credential_id text not null,
  started_ms    bigint not null,            -- milliseconds since 1970 by this server's clock: names the window
  used          integer not null,           -- may lag behind the holder's own count by some milliseconds
  granted       integer not null,           -- calls granted to the last request
  holder        bigint,                     -- the replica that counts this window in its memory; null: counted here
  primary key (tenant_id, credential_id)
) with (fillfactor = 70);
create index call_windows_age on call_windows (tenant_id, started_ms);
select make_tenant_table('call_windows');

-- The only row holds what the replicas of one database share; no tenant's data.
create table installation (
  singleton     boolean primary key default true check (singleton),
  -- Hashes route names on the broker's channel. All replicas must have the same secret; here no operator has to
  -- distribute it. core-6.3, choices-5.
  route_secret  bytea not null
);
-- 244 random bits, without an extension.
insert into installation (route_secret)
  values (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));
grant select on installation to a2a_admin;

-- One row per background loop: the replica that runs it, and the outcome of its last tick. No tenant's data.
-- choices-10.
create table loop_leaders (
  name             text primary key,
  leader           text not null,
  leadership_expires_at timestamptz not null,
  interval_seconds double precision not null,
  ticks            bigint not null default 0,
  last_tick_at     timestamptz,
  last_error       text
) with (fillfactor = 50);
grant select, insert, update on loop_leaders to a2a_admin;
