-- What the service sends out: deliveries of webhooks and push notifications, and who asked for the latter.
-- document 1 §2.10 and §6.1, choices §8, a2a §1.7.

-- Where a task's push notifications go: registered by a caller over A2A, in the dialect of `wire`.
create table push_configs (
  tenant_id   text not null,
  task_id     uuid not null,
  config_id   text not null,
  url         text not null,
  token       text,                          -- goes with each notification as X-A2A-Notification-Token
  scheme      text,                          -- Authorization: <scheme> <credentials>
  credentials text,
  wire        text not null,
  created_by  text not null,
  created_at  timestamptz not null default now(),
  primary key (tenant_id, task_id, config_id),
  foreign key (tenant_id, task_id) references tasks on delete cascade
);

-- True when a task has, or had, push configs: the outbox's trigger looks at this and not at a table.
alter table tasks add column notified boolean not null default false;

-- The outbox. A row is written by the transaction that moves the task (functions/outbox.sql) and carries all that is
-- sent: the body is stored once, so that each attempt sends the same bytes under the same id.
-- No foreign key: rows are written under the task's row lock; housekeeping takes them with the task.
create table deliveries (
  tenant_id    text not null,
  delivery_id  uuid not null,
  task_id      uuid not null,
  kind         text not null check (kind in ('webhook', 'push')),
  config_id    text not null default '',     -- of a push notification's config
  seq          bigint not null,              -- the event of the task that it tells of
  url          text not null,
  host         text not null,                -- host and port of the url: what shares one receiver's bound
  body         text,                         -- null until a notification is written down in its dialect
  content_type text not null default 'application/json',
  status       text not null default 'pending' check (status in ('pending', 'delivered', 'dead')),
  tries        integer not null default 0,   -- attempts begun since it was made or asked for again
  epoch        bigint not null default 0,    -- raised by each claim: a late word about an older attempt changes nothing
  attempts     jsonb not null default '[]',  -- [{at, status_code, error}], the newest last
  due_at       timestamptz not null default now(), -- while claimed: when the claim runs out
  created_at   timestamptz not null default now(),
  ended_at     timestamptz,
  primary key (tenant_id, delivery_id)
) with (fillfactor = 70);
-- The claim steps from receiver to receiver through this index, so that a thousand rows for a slow one cost nothing.
create index deliveries_pending on deliveries (tenant_id, host, due_at) where status = 'pending';
create index deliveries_by_task on deliveries (tenant_id, task_id, config_id, seq);

-- A tenant's own signing secrets, in place of the installation's; the first signs, all are in the multi-signature.
create table webhook_secrets (
  tenant_id  text primary key references tenants on delete cascade,
  secrets    text[] not null check (cardinality(secrets) between 1 and 5),
  updated_at timestamptz not null default now()
);

do $$
declare t text;
begin
  foreach t in array array['push_configs', 'deliveries', 'webhook_secrets'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant_isolation on %I to a2a_app
      using (tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))
      with check (tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))', t);
    execute format('create policy admin_crossing on %I to a2a_admin using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to a2a_app, a2a_admin', t);
  end loop;
end $$;
