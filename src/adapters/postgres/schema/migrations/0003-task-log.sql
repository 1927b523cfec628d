-- The log of a task: its events, and what is found through them: artifacts, messages, interventions.

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
  line      bigint,                         -- of an output event: the line of the task's output in which it begins, from 1
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
  -- The choice in an agent's question: {kind: question | permission, options: [{value, label}], context}. Null: it is plain text.
  question   jsonb,
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
