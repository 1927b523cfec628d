-- PRD chats: sessions, their turns, and the versions of their documents. runs-13.

-- One row per chat. Its id is a conversation id, which a caller may choose.
create table prd_sessions (
  tenant_id   text not null references tenants,
  id          text not null check (length(id) between 1 and 200),
  listed_id   uuid not null,                -- version 7: the order of lists
  codebase_id text,
  title       text not null,
  status      text not null default 'idle' check (status in ('idle', 'answering', 'failed')),
  version     integer not null default 0,   -- of the newest document; 0: there is none
  ready       boolean not null default false,
  messages    integer not null default 0,   -- turns of people
  created_by  text not null,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index prd_sessions_listed on prd_sessions (tenant_id, listed_id);
select make_tenant_table('prd_sessions');

-- One row per message of a person and per answer. A turn that a task answers is written with the task.
create table prd_turns (
  tenant_id    text not null,
  session_id   text not null,
  n            integer not null,
  role         text not null check (role in ('user', 'assistant')),
  text         text not null,
  attachments  jsonb not null default '[]',
  task_id      uuid,
  questions    jsonb not null default '[]',
  status       text not null check (status in ('answering', 'answered', 'failed')),
  source       text not null check (source in ('user', 'agent', 'interview')),
  base_version integer not null,            -- the version that the turn saw
  made_version integer,                     -- the version that it made
  is_repair    boolean not null default false,
  warnings     jsonb not null default '[]',
  message_id   uuid,                        -- of a message: what its idempotency key leads to
  at           timestamptz not null default now(),
  primary key (tenant_id, session_id, n),
  foreign key (tenant_id, session_id) references prd_sessions on delete cascade
);
create index prd_turns_by_message on prd_turns (tenant_id, message_id) where message_id is not null;
create index prd_turns_by_task on prd_turns (tenant_id, task_id) where task_id is not null;
select make_tenant_table('prd_turns');

-- One row per version of a document; it never changes. `json` keeps the order of members, so that a story that no edit names
-- stays byte for byte as it was.
create table prd_versions (
  tenant_id  text not null,
  session_id text not null,
  version    integer not null,
  document   json not null,
  author     text not null check (author in ('assistant', 'user', 'import')),
  turn       integer,
  operations json not null default '[]',
  warnings   jsonb not null default '[]',
  at         timestamptz not null default now(),
  primary key (tenant_id, session_id, version),
  foreign key (tenant_id, session_id) references prd_sessions on delete cascade
);
select make_tenant_table('prd_versions');

create index ralph_runs_by_prd_session on ralph_runs (tenant_id, prd_session_id) where prd_session_id is not null;
