-- The audit: its copy of the file, the intents of changes, chains and checkpoints.
--
-- The audit file is the record; these tables are its copy. Recorded lines are never changed or deleted, hence the
-- narrow grants. choices-3. JSON is uncompressed text here: it is written once, kept as received and seldom read.

-- One row per call, or per group commit: the audit intents of the change, committed with it, so that a crash between
-- commit and file loses no line. The row is deleted once its lines are on disk.
create table audit_intents (
  tenant_id  text not null,
  id         uuid not null,
  replica_id text not null,                 -- the chain that will have the lines
  at         timestamptz not null default now(),
  entries    text not null,
  primary key (tenant_id, id)
);
alter table audit_intents alter column entries set storage external;
create index audit_intents_by_replica on audit_intents (replica_id, id);
select make_tenant_table('audit_intents', 'select, insert');
grant delete on audit_intents to a2a_admin;

-- One row per run of consecutive lines of one tenant in a chain, as they stand in the file. Every line is in some row:
-- the union over the tenants is the chain. Most of a line is hashes and ids.
create table audit_log (
  tenant_id text not null,
  chain     text not null,
  first_seq bigint not null,
  last_seq  bigint not null,
  last_hash text not null,
  first_id  uuid not null,                  -- least id of the lines
  last_id   uuid not null,                  -- greatest id of the lines
  from_at   timestamptz not null,
  to_at     timestamptz not null,
  entries   text not null,
  primary key (tenant_id, chain, first_seq)
);
alter table audit_log alter column entries set storage external;
-- For the pages of the audit log: newest first over all chains.
create index audit_log_newest on audit_log (tenant_id, last_id desc);
create index audit_log_by_chain on audit_log (chain, last_seq desc);
select make_tenant_table('audit_log', 'select, insert');

-- One row per signed statement of a chain's head. The file is verified against them.
create table audit_checkpoints (
  tenant_id text not null check (tenant_id = 'system'),
  chain     text not null,
  seq       bigint not null,
  hash      text not null,
  at        text not null,                  -- as signed
  key       text not null,
  signature text not null,
  primary key (tenant_id, chain, seq)
);
select make_tenant_table('audit_checkpoints', 'select, insert');

-- One row per chain, with the replica's file and when that replica last reported.
create table audit_chains (
  tenant_id  text not null check (tenant_id = 'system'),
  chain      text not null,
  public_key text not null,
  file       text not null,
  opened_at  timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (tenant_id, chain)
);
select make_tenant_table('audit_chains', 'select, insert');
grant update (last_seen_at, public_key, file) on audit_chains to a2a_admin;
