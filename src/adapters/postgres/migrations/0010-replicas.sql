-- What the replicas of one database share beside the rows of tenants. Neither table holds anything of a tenant.

-- One row. Route keys on the broker's channel are keyed by this: the same for each replica, of no use elsewhere, and
-- no operator has to hand it out. document 1 §6.3, choices §5.
create table installation (
  only_row     boolean primary key default true check (only_row),
  route_secret bytea not null
);
-- 244 random bits, without an extension.
insert into installation (route_secret)
  values (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));
grant select on installation to a2a_admin;

-- Which replica runs which background loop, and how it went there. choices §10.
create table loop_leaders (
  name             text primary key,
  leader           text not null,
  leads_until      timestamptz not null,
  interval_seconds double precision not null,
  ticks            bigint not null default 0,
  last_tick_at     timestamptz,
  last_error       text
) with (fillfactor = 50);
grant select, insert, update on loop_leaders to a2a_admin;
