-- The monitor: usage by day and samples of the queue, which outlive the tasks they are made of; what waits for a person; and
-- the changes that followers of a tenant receive beside those of tasks. ui-6.17.1, ui-6.19.1.

-- One row per day, dimension and key: the tasks that ended on that day (UTC). Eight rows per day and task at most, so
-- that each way to group them is read by itself. A leader loop folds ended tasks into it (functions/usage/fold-usage.sql).
create table usage_days (
  tenant_id      text not null,
  dimension      text not null check (dimension in
                 ('day', 'model', 'agent', 'agent_type', 'codebase', 'created_by', 'worker', 'ralph_run')),
  day            date not null,
  key            text not null,             -- '': the tasks have none
  tasks          bigint not null default 0,
  completed      bigint not null default 0,
  failed         bigint not null default 0,
  retried        bigint not null default 0, -- tasks that retry another
  first_attempt  bigint not null default 0, -- completed by their first attempt
  seconds        jsonb not null default '{}', -- from the first claim to the end: tasks by duration_bucket
  input_tokens   bigint not null default 0,
  output_tokens  bigint not null default 0,
  cached_tokens  bigint not null default 0,
  cost_usd       numeric,                   -- null: no task has a price
  unpriced_tasks bigint not null default 0,
  primary key (tenant_id, dimension, day, key)
) with (fillfactor = 70);
select make_tenant_table('usage_days');

-- One row per five minutes: samples of the queue, and the tasks that ended in them.
create table queue_history (
  tenant_id text not null,
  at        timestamptz not null,           -- when the five minutes begin
  queued    bigint not null default 0,
  running   bigint not null default 0,
  completed bigint not null default 0,
  failed    bigint not null default 0,
  cancelled bigint not null default 0,
  wait      jsonb not null default '{}',    -- of ended tasks until their first claim, as usage_days.seconds
  run       jsonb not null default '{}',    -- of ended tasks from their first claim
  primary key (tenant_id, at)
) with (fillfactor = 70);
select make_tenant_table('queue_history');

-- One row per tenant: the last event of its log that is folded. It moves in the transaction that folds, so no task is
-- counted twice or left out, whatever is killed.
create table usage_marks (
  tenant_id text primary key,
  xid       xid8 not null default '0',
  task_id   uuid not null default '00000000-0000-0000-0000-000000000000',
  seq       bigint not null default 0
) with (fillfactor = 50);
select make_tenant_table('usage_marks');

-- One row per thing that waits for a person. Triggers write and delete it in the transaction that changes the thing, so that
-- lists and counts read this table alone (../functions/attention).
create table attention_items (
  tenant_id  text not null,
  id         text not null,                 -- of the task, question, delivery, run or worker
  kind       text not null check (kind in ('task_question', 'run_question', 'approval', 'dead_delivery', 'run_failed',
             'worker_gone', 'budget')),
  about      uuid,                          -- the task or run that it belongs to
  created_by text not null,                 -- the subject that owns the thing
  asked_at   timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);
create index attention_items_newest on attention_items (tenant_id, asked_at desc, id desc);
select make_tenant_table('attention_items');

-- One row per change that followers of a tenant receive and that no task's log has. It is read together with task_events,
-- in the order of the writing transactions.
create table monitor_events (
  tenant_id  text not null,
  id         uuid not null,
  type       text not null check (type in ('worker', 'run', 'attention')),
  data       jsonb not null,
  created_by text not null,
  at         timestamptz not null default clock_timestamp(),
  xid        xid8 not null default pg_current_xact_id(),
  primary key (tenant_id, xid, id)
);
create index monitor_events_age on monitor_events (tenant_id, at);
select make_tenant_table('monitor_events', 'select, insert, delete');
