-- The installation: what makes a table a tenant's, the tenants, and what the replicas of the service share.
--
-- Migrations 0001 to 0011 are the schema of the first release, by nouns. A comment above each table says what a row is.
-- Later changes are migrations of their own: a file never changes after its release.
--
-- Every table of a tenant's rows carries tenant_id NOT NULL first in its keys and is passed to make_tenant_table.
-- Timestamps are the database's own. UUIDs made by the service are version 7, so ids are in time order.

-- Makes a table a tenant's: row-level security, forced so that it binds the owner too. a2a_app sees the tenant named by
-- the transaction-local setting app.current_tenant_id (after a commit that setting is '' and not NULL: hence nullif);
-- a2a_admin is for named cross-tenant queries. core-5.8.
create function make_tenant_table(
  p_table regclass, p_privileges text default 'select, insert, update, delete'
) returns void language plpgsql as $$
declare
  tenant text := '(tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))';
begin
  execute format('alter table %s enable row level security', p_table);
  execute format('alter table %s force row level security', p_table);
  execute format('create policy tenant_isolation on %s to a2a_app using %s with check %s', p_table, tenant, tenant);
  execute format('create policy admin_cross_tenant on %s to a2a_admin using (true) with check (true)', p_table);
  execute format('grant %s on %s to a2a_app, a2a_admin', p_privileges, p_table);
end $$;

-- Each replica checks at start that the schema is of its own version.
grant select on schema_migrations to a2a_app, a2a_admin;

-- One row per tenant.
create table tenants (
  tenant_id  text primary key check (tenant_id ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  name       text not null,
  created_at timestamptz not null default now()
);
-- Only a cross-tenant query of an admin creates or deletes tenants.
select make_tenant_table('tenants');
revoke insert, update, delete on tenants from a2a_app;

-- One row per credential whose calls were counted lately against its limit. core-8, choices-9.
create table call_windows (
  tenant_id     text not null references tenants on delete cascade,
  credential_id text not null,
  started_ms    bigint not null,            -- milliseconds since 1970 by this server's clock: names the window
  used          integer not null,           -- may lag behind the holder's own count by some milliseconds
  granted       integer not null,           -- calls granted to the last request
  holder        bigint,                     -- the replica that counts this window in its memory; null: counted here
  primary key (tenant_id, credential_id)
) with (fillfactor = 70);
create index call_windows_age on call_windows (tenant_id, started_ms);
select make_tenant_table('call_windows');

-- The only row holds what the replicas of one database share; no tenant's data.
create table installation (
  singleton     boolean primary key default true check (singleton),
  -- Hashes route names on the broker's channel. All replicas must have the same secret; here no operator has to
  -- distribute it. core-6.3, choices-5.
  route_secret  bytea not null
);
-- 244 random bits, without an extension.
insert into installation (route_secret)
  values (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));
grant select on installation to a2a_admin;

-- One row per background loop: the replica that runs it, and the outcome of its last tick. No tenant's data.
-- choices-10.
create table loop_leaders (
  name             text primary key,
  leader           text not null,
  leadership_expires_at timestamptz not null,
  interval_seconds double precision not null,
  ticks            bigint not null default 0,
  last_tick_at     timestamptz,
  last_error       text
) with (fillfactor = 50);
grant select, insert, update on loop_leaders to a2a_admin;

-- One row per replica that reported lately: what it is, and what it lacks. No tenant's data.
create table service_replicas (
  name         text primary key,
  version      text not null,
  host         text not null,
  started_at   timestamptz not null,
  last_seen_at timestamptz not null default clock_timestamp(),
  reasons      text[] not null default '{}' -- why it is degraded; empty: it is not
) with (fillfactor = 50);
grant select, insert, update, delete on service_replicas to a2a_admin;
