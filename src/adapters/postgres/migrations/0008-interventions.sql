-- What people say to running agents, and how far it got; and where a task's last checkpoint stands. choices §3 and §5.

create table interventions (
  tenant_id       text not null,
  intervention_id uuid not null,
  task_id         uuid not null,
  action          text not null check (action in ('message', 'pause', 'resume', 'cancel')),
  message         text,                       -- what it says, in words
  message_id      text,                       -- of the same message in the task's exchange
  -- queued: here; sent: on its way to a worker; delivered: that worker's word; applied: there was no run to tell.
  status          text not null default 'queued' check (status in ('queued', 'sent', 'delivered', 'failed', 'applied')),
  reason          text,                       -- why it failed
  worker_id       uuid,                       -- where it was sent last
  created_by      text not null,
  created_at      timestamptz not null default now(),
  sent_at         timestamptz,
  settled_at      timestamptz,
  primary key (tenant_id, intervention_id),   -- ids are in time order
  foreign key (tenant_id, task_id) references tasks on delete cascade
);
create index interventions_by_task on interventions (tenant_id, task_id, intervention_id);
create index interventions_open on interventions (tenant_id, task_id, intervention_id) where status in ('queued', 'sent');

-- True when a task has, or had, interventions: heartbeats and the trigger look at this and not at a table.
alter table tasks add column intervened boolean not null default false;
-- The event in its log that holds the last checkpoint: the content is stored once, in the log.
alter table tasks add column checkpoint_seq bigint;

-- `not valid`: the rows that are there obey the narrower rule already, and need not be read again.
alter table task_events drop constraint task_events_type_check;
alter table task_events add constraint task_events_type_check
  check (type in ('status', 'output', 'progress', 'message', 'artifact', 'checkpoint', 'intervention')) not valid;

do $$
declare t text := 'interventions';
begin
  execute format('alter table %I enable row level security', t);
  execute format('alter table %I force row level security', t);
  execute format('create policy tenant_isolation on %I to a2a_app
    using (tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))
    with check (tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))', t);
  execute format('create policy admin_crossing on %I to a2a_admin using (true) with check (true)', t);
  execute format('grant select, insert, update, delete on %I to a2a_app, a2a_admin', t);
end $$;
