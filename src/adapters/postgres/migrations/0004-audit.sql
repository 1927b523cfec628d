-- The audit's side of the database: the outbox of intents, the tenants' copy of the chains, their checkpoints.
--
-- The file is the record; these follow it. An intent is committed with the change that it announces, so that a crash
-- between commit and file loses no line. choices §3.

-- A row for each call, or for all calls of a group commit; it goes once their lines are on disk.
-- JSON as text, here and below, and not compressed: it is written once, kept as it came and read seldom.
create table audit_intents (
  tenant_id  text not null,
  id         uuid not null,
  replica_id text not null,                 -- the chain that is to have the lines
  at         timestamptz not null default now(),
  entries    text not null,
  primary key (tenant_id, id)
);
alter table audit_intents alter column entries set storage external;
create index audit_intents_by_replica on audit_intents (replica_id, id);

-- Lines of a chain, many of one tenant in a row, as they stand in the file. It has every line: the union over the
-- tenants is the chain. Most of a line is hashes and ids.
create table audit_log (
  tenant_id text not null,
  chain     text not null,
  first_seq bigint not null,
  last_seq  bigint not null,
  last_hash text not null,
  first_id  uuid not null,                  -- least and greatest id of the lines: ids are in time order
  last_id   uuid not null,
  from_at   timestamptz not null,
  to_at     timestamptz not null,
  entries   text not null,
  primary key (tenant_id, chain, first_seq)
);
alter table audit_log alter column entries set storage external;
-- The view's pages: newest first over all chains.
create index audit_log_newest on audit_log (tenant_id, last_id desc);
create index audit_log_by_chain on audit_log (chain, last_seq desc);

-- Signed statements of how a chain stood: what the file says today is held against them.
create table audit_checkpoints (
  tenant_id text not null check (tenant_id = 'system'),
  chain     text not null,
  seq       bigint not null,
  hash      text not null,
  at        text not null,                  -- as it was signed
  key       text not null,
  signature text not null,
  primary key (tenant_id, chain, seq)
);

-- Who writes which chain, and when it was last heard of.
create table audit_chains (
  tenant_id  text not null check (tenant_id = 'system'),
  chain      text not null,
  public_key text not null,
  file       text not null,
  opened_at  timestamptz not null default now(),
  heard_at   timestamptz not null default now(),
  primary key (tenant_id, chain)
);

do $$
declare t text;
begin
  foreach t in array array['audit_intents', 'audit_log', 'audit_checkpoints', 'audit_chains'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant_isolation on %I to a2a_app
      using (tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))
      with check (tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))', t);
    execute format('create policy admin_crossing on %I to a2a_admin using (true) with check (true)', t);
    execute format('grant select, insert on %I to a2a_app, a2a_admin', t);
  end loop;
end $$;
-- Nobody changes or takes away what was said; the outbox alone is emptied, and a chain is heard of again.
grant delete on audit_intents to a2a_admin;
grant update (heard_at, public_key, file) on audit_chains to a2a_admin;
