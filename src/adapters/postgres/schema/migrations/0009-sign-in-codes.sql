-- Sign-in codes, and sessions whose cookie has a secret of its own. ui-6.14.

-- The cookie's secret opens page files only; a session of before this migration has none, so its browser signs in again.
alter table sign_in_sessions add column page_hash bytea check (octet_length(page_hash) = 32);
alter table sign_in_sessions add column page_mark text;         -- as token_mark, for the cookie's secret
alter table sign_in_sessions add column parent_session_id uuid; -- the session that made the code of this one: both end together
alter table sign_in_sessions add foreign key (tenant_id, parent_session_id) references sign_in_sessions on delete cascade;
create index sign_in_sessions_by_page_hash on sign_in_sessions (page_hash) where page_hash is not null;
create index sign_in_sessions_by_parent on sign_in_sessions (tenant_id, parent_session_id)
  where parent_session_id is not null;

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
  parent_session_id uuid,                        -- where that is a session
  token_mark        text,                        -- of a configured token, as in sign_in_sessions
  not_after         timestamptz,                 -- the session of this code ends no later; null: no limit of its own
  expires_at        timestamptz not null,
  primary key (tenant_id, code_id),
  foreign key (tenant_id, key_id) references api_keys on delete cascade,
  foreign key (tenant_id, parent_session_id) references sign_in_sessions on delete cascade
);
create index sign_in_codes_by_hash on sign_in_codes (hash);
create index sign_in_codes_by_user on sign_in_codes (tenant_id, user_id);
create index sign_in_codes_by_key on sign_in_codes (tenant_id, key_id) where key_id is not null;
create index sign_in_codes_by_parent on sign_in_codes (tenant_id, parent_session_id) where parent_session_id is not null;
select make_tenant_table('sign_in_codes');
