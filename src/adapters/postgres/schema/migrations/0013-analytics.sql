-- Tables partitioned by the time in their ids, and the first of them: events of analytics, with their deduplication keys,
-- identities and funnels. platform-5, platform-7.3.

-- Partitioned tables

-- One row per table that is partitioned by ranges of a UUIDv7, whose first bits are a time. The functions make_partitions and
-- drop_partitions work by these rows and take no name from their callers. A migration that adds a partitioned table adds its row.
-- It has no tenant: requests have no right on it.
create table partitioned_tables (
  parent    text primary key,               -- the partitioned table
  unit      text not null check (unit in ('day', 'week', 'month')),
  ahead     integer not null check (ahead between 1 and 60), -- partitions beyond the present one
  keep_days integer check (keep_days >= 1), -- null: a partition is dropped as soon as its keeper releases it
  -- A function (partition regclass) returns boolean: true while a row of the partition is still needed. Null: time alone decides.
  keeper    text,
  check (keep_days is not null or keeper is not null)
);
grant select, update (keep_days) on partitioned_tables to a2a_admin;

-- Analytics

-- One row per event. It is written once, and deleted only by erasing its person or with its partition. There is no foreign key
-- to tenants, as in task_events: thousands are written at once.
create table analytics_events (
  tenant_id    text not null,
  event_id     uuid not null,               -- UUIDv7 of the time at which it was received
  received_at  timestamptz not null default clock_timestamp(),
  at           timestamptz not null,        -- when it happened: at most an hour after it was received
  kind         text not null check (kind in ('track', 'page', 'identify')),
  event        text not null,               -- the name of a track event, else page_view or identify
  anonymous_id text,
  user_id      text,
  session_id   text,
  message_id   text,
  page         jsonb,                       -- {url, path, title, referrer}
  campaign     jsonb,                       -- {source, medium, name, term, content, click_id}
  channel      text,                        -- of a touch; null: the event is no touch, or is direct
  properties   jsonb not null default '{}',
  value        numeric(20, 4),
  currency     text,
  primary key (tenant_id, event_id),
  check (anonymous_id is not null or user_id is not null)
) partition by range (event_id);
create index analytics_events_by_name on analytics_events (tenant_id, event, at);
create index analytics_events_by_user on analytics_events (tenant_id, user_id, at) where user_id is not null;
create index analytics_events_by_visitor on analytics_events (tenant_id, anonymous_id, at) where anonymous_id is not null;
select make_tenant_table('analytics_events');
insert into partitioned_tables (parent, unit, ahead, keep_days) values ('analytics_events', 'month', 4, 400);

-- One row per message id of the last 48 hours: a repeated call is answered with the event of the first.
create table analytics_messages (
  tenant_id   text not null,
  message_id  text not null,
  event_id    uuid not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, message_id)
);
create index analytics_messages_old on analytics_messages (tenant_id, received_at);
select make_tenant_table('analytics_messages');

-- One row per change of the user that a visitor was identified as; before its first row a visitor is that row's user.
create table analytics_identity_map (
  tenant_id     text not null,
  anonymous_id  text not null,
  identified_at timestamptz not null,
  user_id       text not null,
  primary key (tenant_id, anonymous_id, identified_at)
);
create index analytics_identity_map_by_user on analytics_identity_map (tenant_id, user_id);
select make_tenant_table('analytics_identity_map');

-- One row per funnel that a tenant has written; the built-in one has a row once somebody replaces it.
create table analytics_funnels (
  tenant_id    text not null references tenants,
  funnel_id    text not null,
  name         text not null,
  steps        jsonb not null,              -- [{name?, event, where?}]
  window_hours integer not null,
  created_by   text not null,
  created_at   timestamptz not null default clock_timestamp(),
  updated_at   timestamptz not null default clock_timestamp(),
  primary key (tenant_id, funnel_id)
);
select make_tenant_table('analytics_funnels');
