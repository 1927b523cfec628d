-- Limits of calls: one row for each credential that was counted lately. document 1 §8, choices §9.
create table call_windows (
  tenant_id     text not null references tenants on delete cascade,
  credential_id text not null,
  started_ms    bigint not null,            -- milliseconds since 1970 by this server's clock: names the window
  used          integer not null,           -- may lag behind the holder's own count by some milliseconds
  granted       integer not null,           -- to whoever asked last: its answer
  holder        bigint,                     -- the replica that counts this window in its memory; null: counted here
  primary key (tenant_id, credential_id)
) with (fillfactor = 70);
create index call_windows_age on call_windows (tenant_id, started_ms);

alter table call_windows enable row level security;
alter table call_windows force row level security;
create policy tenant_isolation on call_windows to a2a_app
  using (tenant_id = (select nullif(current_setting('app.current_tenant_id', true), '')))
  with check (tenant_id = (select nullif(current_setting('app.current_tenant_id', true), '')));
create policy admin_crossing on call_windows to a2a_admin using (true) with check (true);
grant select, insert, update, delete on call_windows to a2a_app, a2a_admin;
