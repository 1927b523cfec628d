-- Identity: users, API keys, sign-in sessions and the codes that open them.
--
-- core-5.4, choices-4. Keys and sessions are looked up by the SHA-256 of the token before the tenant is known
-- (store/credential-queries.ts); hashes of 32 random bytes need neither salt nor a slow function. The indexes on them
-- are not unique: a unique index without the tenant would reveal what exists.

-- One row per person or program known by name. Principals of configured tokens have no row: configuration defines them.
create table users (
  tenant_id  text not null references tenants,
  user_id    text not null check (length(user_id) between 1 and 300 and user_id !~ '^token:'), -- the caller's subject
  name       text not null,
  roles      text[] not null check (roles <@ array['admin', 'operator', 'editor', 'viewer', 'agent']),
  status     text not null default 'active' check (status in ('active', 'disabled')),
  source     text not null check (source in ('admin', 'provider')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, user_id)
);
select make_tenant_table('users');

-- One row per API key. No foreign key to users: the owner may be a configured token's principal. Deleting a user
-- revokes the user's keys.
create table api_keys (
  tenant_id    text not null references tenants,
  key_id       uuid not null,
  user_id      text not null,               -- the owner's subject
  name         text not null,
  prefix       text not null,               -- the first characters of the key, for lists
  hash         bytea not null check (octet_length(hash) = 32),
  scopes       text[] not null,             -- narrow the owner's permissions
  created_by   text not null,               -- the credential that created it
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  last_used_at timestamptz,                 -- to the minute
  revoked_at   timestamptz,
  primary key (tenant_id, key_id)
);
create index api_keys_by_hash on api_keys (hash);
create index api_keys_by_user on api_keys (tenant_id, user_id, key_id);
select make_tenant_table('api_keys');

-- One row per browser session. It has the permissions of the credential that opened it, and ends with that credential.
create table sign_in_sessions (
  tenant_id    text not null references tenants,
  session_id   uuid not null,
  user_id      text not null,
  name         text not null,
  hash         bytea not null check (octet_length(hash) = 32),
  roles        text[] not null,             -- of the opening credential, at that time
  scopes       text[],                      -- null: not narrowed
  created_by   text not null,               -- the opening credential
  key_id       uuid,                        -- where that is an API key
  token_mark   text,                        -- of a configured token: distinguishes it from a later token of that name
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  last_used_at timestamptz,                 -- to the minute
  page_hash    bytea not null check (octet_length(page_hash) = 32), -- of the cookie's secret, which opens page files only
  page_mark    text,                        -- as token_mark, for the cookie's secret
  -- The sessions that made the code of this one, and the code of that one, and so on: it is valid while all of them are there.
  ancestors    uuid[] not null default '{}' check (cardinality(ancestors) <= 16),
  primary key (tenant_id, session_id),
  foreign key (tenant_id, key_id) references api_keys on delete cascade
);
create index sign_in_sessions_by_hash on sign_in_sessions (hash);
create index sign_in_sessions_by_user on sign_in_sessions (tenant_id, user_id, session_id);
create index sign_in_sessions_by_key on sign_in_sessions (tenant_id, key_id) where key_id is not null;
create index sign_in_sessions_by_page_hash on sign_in_sessions (page_hash);
create index sign_in_sessions_by_ancestor on sign_in_sessions using gin (ancestors) where ancestors <> '{}';
select make_tenant_table('sign_in_sessions');

-- One row per code that nobody has used yet; its use deletes it.
create table sign_in_codes (
  tenant_id         text not null references tenants,
  code_id           uuid not null,
  user_id           text not null,
  hash              bytea not null check (octet_length(hash) = 32),
  roles             text[] not null,             -- of the credential that made it, at that time
  scopes            text[],                      -- null: not narrowed
  created_by        text not null,               -- the credential that made it
  key_id            uuid,                        -- where that is an API key, or a session of one
  ancestors         uuid[] not null check (cardinality(ancestors) <= 16), -- that session and its own, as in sign_in_sessions
  token_mark        text,                        -- of a configured token, as in sign_in_sessions
  not_after         timestamptz,                 -- the session of this code ends no later; null: no limit of its own
  expires_at        timestamptz not null,
  primary key (tenant_id, code_id),
  foreign key (tenant_id, key_id) references api_keys on delete cascade
);
create index sign_in_codes_by_hash on sign_in_codes (hash);
create index sign_in_codes_by_user on sign_in_codes (tenant_id, user_id);
create index sign_in_codes_by_key on sign_in_codes (tenant_id, key_id) where key_id is not null;
select make_tenant_table('sign_in_codes');
