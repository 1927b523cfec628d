-- What people want to know of a worker beyond its routing: the agents that it lacks, its disk, its system, its drain. And
-- of the replicas of the service: which there are, and what each of them lacks.
alter table workers
  -- Set: it is given nothing more, until it registers anew.
  add column drained_at     timestamptz,
  add column agents_missing jsonb not null default '[]', -- [{name, reason}]
  add column disk_free      bigint,           -- bytes, at its registration
  add column os             text not null default '';

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
