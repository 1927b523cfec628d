-- Who may call: users, their API keys, the sign-in sessions of browsers. document 1 §5.4, choices §4.
--
-- Keys and sessions are looked up by the SHA-256 of the token before the tenant is known (credential-crossings.ts);
-- the hashes of 32 random bytes need no salt and no slow function. The indexes on them are not unique, for a unique
-- index without the tenant would tell others what exists.

-- People and programs that are known by name. The principals of configured tokens have no row: the configuration is
-- theirs. user_id is the caller's subject.
create table users (
  tenant_id  text not null references tenants,
  user_id    text not null check (length(user_id) between 1 and 300 and user_id !~ '^token:'),
  name       text not null,
  roles      text[] not null check (roles <@ array['admin', 'operator', 'editor', 'viewer', 'agent']),
  status     text not null default 'active' check (status in ('active', 'disabled')),
  source     text not null check (source in ('admin', 'provider')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, user_id)
);

-- No foreign key to users: the owner may be a configured token's principal. Who deletes a user revokes its keys.
create table api_keys (
  tenant_id    text not null references tenants,
  key_id       uuid not null,
  user_id      text not null,               -- the owner's subject
  name         text not null,
  prefix       text not null,               -- the first characters of the key, for lists
  hash         bytea not null check (octet_length(hash) = 32),
  scopes       text[] not null,             -- narrow what the owner may do
  created_by   text not null,               -- the credential that made it
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  last_used_at timestamptz,                 -- to the minute
  revoked_at   timestamptz,
  primary key (tenant_id, key_id)
);
create index api_keys_by_hash on api_keys (hash);
create index api_keys_by_user on api_keys (tenant_id, user_id, key_id);

-- A session may do what the credential that made it could, and ends with it.
create table sign_in_sessions (
  tenant_id    text not null references tenants,
  session_id   uuid not null,
  user_id      text not null,
  name         text not null,
  hash         bytea not null check (octet_length(hash) = 32),
  roles        text[] not null,             -- of the credential that made it, when it did
  scopes       text[],                      -- null: not narrowed
  created_by   text not null,               -- the credential that made it
  key_id       uuid,                        -- where that is an API key
  token_mark   text,                        -- where it is a configured token: tells a new token of that name from it
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  last_used_at timestamptz,                 -- to the minute
  primary key (tenant_id, session_id),
  foreign key (tenant_id, key_id) references api_keys on delete cascade
);
create index sign_in_sessions_by_hash on sign_in_sessions (hash);
create index sign_in_sessions_by_user on sign_in_sessions (tenant_id, user_id, session_id);
create index sign_in_sessions_by_key on sign_in_sessions (tenant_id, key_id) where key_id is not null;

do $$
declare t text;
begin
  foreach t in array array['users', 'api_keys', 'sign_in_sessions']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant_isolation on %I to a2a_app
      using (tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))
      with check (tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))', t);
    execute format('create policy admin_crossing on %I to a2a_admin using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to a2a_app, a2a_admin', t);
  end loop;
end $$;
