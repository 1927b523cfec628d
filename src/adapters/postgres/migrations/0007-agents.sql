-- Agents that made themselves known, the codebase that each caller works with, and an order over the logs of all tasks.

-- An agent that no worker bears: it lives as long as it says so. document 2 §4.2.
create table agent_registrations (
  tenant_id     text not null references tenants,
  name          text not null,
  subject       text not null,             -- who registered it: nobody else may speak for it
  description   text not null,
  url           text,                      -- told to whoever asks; never fetched
  capabilities  text[] not null default '{}',
  models        text[] not null default '{}',
  registered_at timestamptz not null default now(),
  last_seen_at  timestamptz not null default now(),
  primary key (tenant_id, name)
) with (fillfactor = 70);

-- The codebase that a caller's calls are about when they name none.
create table active_codebases (
  tenant_id   text not null,
  subject     text not null,
  codebase_id text not null,
  set_at      timestamptz not null default now(),
  primary key (tenant_id, subject),
  foreign key (tenant_id, codebase_id) references workspaces on delete cascade
);
create index active_codebases_by_codebase on active_codebases (tenant_id, codebase_id);

do $$
declare t text;
begin
  foreach t in array array['agent_registrations', 'active_codebases'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant_isolation on %I to a2a_app
      using (tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))
      with check (tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))', t);
    execute format('create policy admin_crossing on %I to a2a_admin using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to a2a_app, a2a_admin', t);
  end loop;
end $$;

-- Which transaction wrote an event: the order over the logs of many tasks. A number from a sequence is given out before
-- its transaction commits, and a reader that has passed a number loses what commits under it later. What was written by
-- a transaction older than the oldest one running is all there, so readers stay below that one (rows/log-rows.ts).
-- Events that are there already share the number of this migration's transaction: their tasks' ids are in time order.
alter table task_events add column xid xid8 not null default pg_current_xact_id();
-- Output and progress, the bulk of a log, are not in it.
create index task_events_in_order on task_events (tenant_id, xid, task_id, seq) where type in ('status', 'message');
-- What was said and what came out, by task: a conversation is read without its tasks' output. One entry for a task that
-- nobody spoke to.
create index task_events_said on task_events (tenant_id, task_id, seq)
  where type = 'message' or (type = 'status' and (data ? 'question' or data @> '{"final": true}'));
