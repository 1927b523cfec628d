-- Sign-in codes, and sessions whose cookie has a secret of its own. ui-6.14.

-- The cookie's secret opens page files only; a session of before this migration has none, so its browser signs in again.
alter table sign_in_sessions add column page_hash bytea check (octet_length(page_hash) = 32);
alter table sign_in_sessions add column page_mark text;         -- as token_mark, for the cookie's secret
-- The sessions that made the code of this one, and the code of that one, and so on: it is valid while all of them are there.
alter table sign_in_sessions add column ancestors uuid[] not null default '{}' check (cardinality(ancestors) <= 16);
create index sign_in_sessions_by_page_hash on sign_in_sessions (page_hash) where page_hash is not null;
create index sign_in_sessions_by_ancestor on sign_in_sessions using gin (ancestors) where ancestors <> '{}';

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
