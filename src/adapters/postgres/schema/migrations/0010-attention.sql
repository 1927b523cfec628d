-- What waits for a person, and the changes of workers, runs and attention that followers of a tenant are told. ui-6.17.1,
-- ui-6.19.1.

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

-- One row per change that followers of a tenant are told and that no task's log has. It is read together with task_events,
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

-- Since when a registered worker has been silent for too long. A heartbeat clears it.
alter table workers add column gone_at timestamptz;
-- The loop that finds silent workers reads those that are present alone. Heartbeats change no column of the index.
create index workers_present on workers (tenant_id, worker_id) where unregistered_at is null and gone_at is null;

-- What waits already. Row-level security binds the owner too, so it is lifted for these statements.
alter table tasks no force row level security;
alter table ralph_runs no force row level security;
alter table ralph_questions no force row level security;
alter table deliveries no force row level security;
alter table workers no force row level security;
alter table attention_items no force row level security;
insert into attention_items (tenant_id, id, kind, about, created_by, asked_at)
  select tenant_id, id::text, 'task_question', id, created_by, updated_at from tasks
  where status = 'needs_input' and step_run_id is null
  union all
  select q.tenant_id, q.id::text, 'run_question', q.run_id, r.created_by, q.asked_at from ralph_questions q
  join ralph_runs r on r.tenant_id = q.tenant_id and r.id = q.run_id
  where q.answered_at is null and r.status = 'needs_input'
  union all
  select r.tenant_id, r.id::text, 'run_failed', r.id, r.created_by, r.completed_at from ralph_runs r
  where r.status = 'failed' and r.completed_at > now() - interval '7 days' and not exists (
    select from ralph_runs n where n.tenant_id = r.tenant_id and n.retry_of = r.id)
  union all
  select d.tenant_id, d.delivery_id::text, 'dead_delivery', d.task_id,
    coalesce((select t.created_by from tasks t where t.tenant_id = d.tenant_id and t.id = d.task_id),
      (select r.created_by from ralph_runs r where r.tenant_id = d.tenant_id and r.id = d.task_id), ''), d.ended_at
  from deliveries d where d.status = 'dead' and d.ended_at > now() - interval '7 days';
-- Workers that left long ago are nobody's concern now.
update workers set gone_at = last_heartbeat_at
where unregistered_at is null and last_heartbeat_at < now() - interval '1 day';
alter table tasks force row level security;
alter table ralph_runs force row level security;
alter table ralph_questions force row level security;
alter table deliveries force row level security;
alter table workers force row level security;
alter table attention_items force row level security;
