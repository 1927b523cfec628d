-- Workers and agents, the codebases that they hold, and the sessions of agents in these.

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
  drained_at        timestamptz,            -- set: it gets no more tasks until it registers anew
  agents_missing    jsonb not null default '[]', -- [{name, reason}]
  disk_free         bigint,                 -- bytes, at its registration
  os                text not null default '',
  gone_at           timestamptz,            -- since when it has been silent for too long; a heartbeat clears it
  primary key (tenant_id, worker_id),
  unique (tenant_id, subject, name)
) with (fillfactor = 70);
-- A name belongs to the credential that registered it first (functions/claims/worker-names.sql).
create index workers_by_name on workers (tenant_id, name, registered_at);
-- The loop that finds silent workers reads those that are present alone. Heartbeats change no column of the index.
create index workers_present on workers (tenant_id, worker_id) where unregistered_at is null and gone_at is null;
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

-- Sessions

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
