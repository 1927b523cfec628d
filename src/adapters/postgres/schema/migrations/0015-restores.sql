-- The backup that this database was restored from, and whether irrevocable sends wait until a person releases them. platform-6.

-- One row per restore into this database. No tenant's data.
create table restores (
  restore_id  uuid primary key default gen_random_uuid(),
  backup_id   text not null,                -- of the archive or of the base backup
  kind        text not null check (kind in ('archive', 'base')),
  backup_at   timestamptz not null,         -- the moment that the rows are of
  restored_at timestamptz not null default clock_timestamp(),
  as_clone    boolean not null,
  chain       text,                         -- of the audit, as it was then: the chain that a new one follows
  chain_seq   bigint,
  chain_hash  text,
  settled_at  timestamptz,                  -- null: the restore was interrupted, and no service may start
  released_at timestamptz,                  -- null: sends wait
  released_by text
);
grant select on restores to a2a_admin;
grant update (released_at, released_by) on restores to a2a_admin;
