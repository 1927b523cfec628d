-- Autonomous runs: the run, its stories, attempts, steps, evidence, learnings, questions, events and outputs. runs-5.
--
-- Each row of a run is written by a transaction that holds the row lock of ralph_runs, so numbers have no gaps.

-- One row per run: a document of user stories that agents implement. `prd` is the document as normalised at creation.
create table ralph_runs (
  tenant_id         text not null references tenants,
  id                uuid not null,
  codebase_id       text not null,
  project           text not null,
  description       text not null,
  branch            text not null,            -- with its prefix
  base_commit       text,
  head_commit       text,                     -- of the last landed story
  published_commit  text,                     -- that the branch of the user has
  home_worker_id    uuid,                     -- holds the branch for the user
  status            text not null default 'pending' check (status in
                    ('pending', 'running', 'paused', 'needs_input', 'completed', 'failed', 'cancelled')),
  pause_mode        text check (pause_mode in ('after_step', 'now')),
  mode              text not null check (mode in ('sequential', 'parallel')),
  max_parallel      integer not null check (max_parallel between 1 and 10),
  max_iterations    integer not null check (max_iterations between 1 and 100),
  current_iteration integer not null default 0,
  prd               jsonb not null,
  baseline          jsonb,                    -- what prepare found at the base
  options           jsonb not null,
  budget            jsonb not null,
  spent             jsonb not null,
  budget_share      smallint not null default 0 check (budget_share in (0, 50, 80, 100)),
  accepts_unpriced  boolean not null default false,
  priority          smallint not null default 0 check (priority between 0 and 100),
  webhook_url       text,
  conversation_id   text,
  retry_of          uuid,
  prd_session_id    text,
  prd_version       integer,
  warnings          jsonb not null default '[]',
  waiting_reason    text,
  error             jsonb,
  created_by        text not null,
  key_id            uuid,                     -- the API key that created it; null: another credential did
  -- The credential of the owner, with whose present roles the run acts: {homeTenantId, roles, scopes, keyId}.
  acts_as           jsonb,
  -- Bundles up to the commit at which a retry begins, in their order: [{task_id, artifact_id, commit} or {run_id, commit}].
  base_bundles      jsonb not null default '[]',
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  started_at        timestamptz,
  completed_at      timestamptz,              -- when it reached a terminal status, whichever that is
  active_since      timestamptz,              -- since when active time is not in spent.seconds yet
  due_at            timestamptz,              -- when the director has to look again
  version           bigint not null default 1, -- raised by each change: a writer names the one that it read
  last_seq          bigint not null default 0, -- of the last event
  primary key (tenant_id, id)                 -- serves the lists too
) with (fillfactor = 70);
create index ralph_runs_due on ralph_runs (due_at)
  where due_at is not null and status in ('pending', 'running', 'paused', 'needs_input');
create index ralph_runs_active on ralph_runs (tenant_id, codebase_id)
  where status in ('pending', 'running', 'paused', 'needs_input');
create index ralph_runs_finished on ralph_runs (tenant_id, completed_at) where completed_at is not null;
create index ralph_runs_by_conversation on ralph_runs (tenant_id, conversation_id) where conversation_id is not null;
create index ralph_runs_by_prd_session on ralph_runs (tenant_id, prd_session_id) where prd_session_id is not null;
select make_tenant_table('ralph_runs');

-- One row per user story of a run.
create table ralph_stories (
  tenant_id          text not null,
  run_id             uuid not null,
  story_id           text not null,
  position           integer not null,        -- its place in the order of the document
  title              text not null,
  description        text not null,
  criteria           jsonb not null,          -- texts
  priority           integer,
  depends_on         text[],                  -- null: the mode of the run decides
  checks             jsonb not null default '[]',
  allow_test_changes jsonb not null default 'false', -- true, false, or globs
  agent              text,
  model              text,
  status             text not null default 'pending' check (status in ('pending', 'running', 'passed', 'failed')),
  phase              text check (phase in
                     ('implementing', 'checking', 'judging', 'landing', 'resolving', 'diagnosing', 'asking', 'waiting')),
  iteration          integer not null default 0, -- judged attempts so far
  extra_iterations   integer not null default 0,
  commit             text,
  result             text not null default '',
  wait               jsonb,                   -- why a running story does not go on, and until when
  conflicts          integer not null default 0,
  diagnoses          integer not null default 0,
  passed_at          timestamptz,
  carried_from       uuid,
  landed             jsonb,                   -- {task_id, artifact_id}: the bundle that holds the commit
  primary key (tenant_id, run_id, story_id),
  foreign key (tenant_id, run_id) references ralph_runs on delete cascade
) with (fillfactor = 70);
select make_tenant_table('ralph_stories');

-- One row per try of an attempt. All tries of one iteration but the last are void, and void ones spend no iteration.
create table ralph_attempts (
  tenant_id        text not null,
  run_id           uuid not null,
  story_id         text not null,
  n                integer not null,
  try              integer not null,
  status           text not null default 'open' check (status in ('open', 'passed', 'failed', 'void')),
  base_commit      text not null,
  candidate_commit text,
  candidate_tree   text,
  story_commit     text,
  failure_code     text,
  fingerprint      text,
  summary          text not null default '',
  agent            text,
  prompt_sha256    text,
  started_at       timestamptz not null default now(),
  ended_at         timestamptz,
  primary key (tenant_id, run_id, story_id, n, try),
  foreign key (tenant_id, run_id) references ralph_runs on delete cascade
);
select make_tenant_table('ralph_attempts');

-- One row per step. Its task is created in the same transaction, under an id chosen before.
create table ralph_steps (
  tenant_id          text not null,
  id                 uuid not null,
  run_id             uuid not null,
  story_id           text,
  n                  integer not null,
  try                integer not null,
  kind               text not null check (kind in
                     ('prepare', 'implement', 'check', 'judge', 'land', 'resolve', 'diagnose', 'publish')),
  task_id            uuid not null,
  status             text not null default 'open'
                     check (status in ('open', 'asking', 'ok', 'rejected', 'infra', 'cancelled')),
  base               text not null,
  candidate          text,
  head               text,
  agent              text,
  target_worker_id   uuid,
  result             jsonb,
  code               text,
  worker_id          uuid,
  infra_tries        integer not null default 0,
  bundle_artifact_id text,
  created_at         timestamptz not null default now(),
  ended_at           timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, run_id) references ralph_runs on delete cascade
);
create index ralph_steps_by_run on ralph_steps (tenant_id, run_id, id);
create index ralph_steps_open on ralph_steps (tenant_id, task_id) where status in ('open', 'asking');
select make_tenant_table('ralph_steps');

-- One row per finding about a criterion: what showed that it holds, or does not. Rows never change.
create table ralph_evidence (
  tenant_id text not null,
  id        uuid not null,
  run_id    uuid not null,
  story_id  text not null,
  n         integer not null,
  criterion integer not null,
  kind      text not null check (kind in ('gate', 'check', 'judge', 'human')),
  status    text not null check (status in ('passed', 'failed', 'unverified')),
  data      jsonb not null,
  at        timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, run_id) references ralph_runs on delete cascade
);
create index ralph_evidence_by_story on ralph_evidence (tenant_id, run_id, story_id, n, id);
select make_tenant_table('ralph_evidence', 'select, insert, delete');

-- One row per learning of a run. Rows never change.
create table ralph_learnings (
  tenant_id text not null,
  id        uuid not null,
  run_id    uuid not null,
  story_id  text,                             -- null: it concerns all stories
  n         integer,
  kind      text not null check (kind in ('failure', 'note', 'pattern', 'diagnosis', 'guidance', 'conflict')),
  author    text not null check (author in ('director', 'agent', 'human')),
  text      text not null check (octet_length(text) <= 8192),
  sha256    text not null,                    -- of kind, story and text: a repeat is not stored
  at        timestamptz not null default now(),
  primary key (tenant_id, run_id, id),
  unique (tenant_id, run_id, sha256),
  foreign key (tenant_id, run_id) references ralph_runs on delete cascade
);
select make_tenant_table('ralph_learnings', 'select, insert, delete');

-- One row per question of a run to people.
create table ralph_questions (
  tenant_id   text not null,
  id          uuid not null,
  run_id      uuid not null,
  story_id    text,
  kind        text not null check (kind in ('baseline_red', 'infra', 'agent_setup', 'approve_tests', 'unverifiable',
              'blocked', 'stuck', 'conflict', 'budget', 'unpriced', 'branch_moved', 'agent')),
  text        text not null,
  options     jsonb not null,
  data        jsonb not null default '{}',
  asked_at    timestamptz not null default now(),
  answered_at timestamptz,
  answer      jsonb,                          -- null in an answered one: it became moot
  answered_by text,
  settled     boolean not null default false, -- the director has applied the answer
  primary key (tenant_id, run_id, id),
  foreign key (tenant_id, run_id) references ralph_runs on delete cascade
);
select make_tenant_table('ralph_questions');

-- One row per event of a run, numbered under the row lock of the run, without gaps.
create table ralph_events (
  tenant_id text not null,
  run_id    uuid not null,
  seq       bigint not null,
  type      text not null,
  data      jsonb not null,
  at        timestamptz not null default now(),
  primary key (tenant_id, run_id, seq),
  foreign key (tenant_id, run_id) references ralph_runs on delete cascade
);
select make_tenant_table('ralph_events', 'select, insert, delete');

-- One row per artifact that the last publish leaves to its run: the bundle and the diff. They outlive the steps' tasks.
create table ralph_outputs (
  tenant_id text not null,
  run_id    uuid not null,
  name      text not null,
  mime_type text not null,
  content   bytea not null,
  at        timestamptz not null default now(),
  primary key (tenant_id, run_id, name),
  foreign key (tenant_id, run_id) references ralph_runs on delete cascade
);
alter table ralph_outputs alter column content set storage external;
select make_tenant_table('ralph_outputs');

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
  -- The credential of the sender of the message that an assistant answers; null also where nothing is to be created for it.
  acts_as      jsonb,
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
