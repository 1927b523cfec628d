-- The outbox: webhooks, push notifications, and messages to components of the service.

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
-- Dead deliveries wait for a person. They are few, and the index has no others.
create index deliveries_dead on deliveries (tenant_id, delivery_id) where status = 'dead';
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
