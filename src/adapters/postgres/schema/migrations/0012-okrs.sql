-- Objectives, their key results, and runs that let agents work on them. platform-4.

create table okrs (
  tenant_id       text not null references tenants,
  okr_id          uuid not null,
  objective       text not null,
  description     text,
  status          text not null default 'draft'
                  check (status in ('draft', 'approved', 'running', 'completed', 'denied')),
  owner           text not null,               -- the person or team that answers for it
  target_date     date,
  tags            text[] not null default '{}',
  task_template   jsonb,                       -- what the tasks of its runs have in common
  decided_by      text,
  decided_at      timestamptz,
  decision_reason text,
  created_by      text not null,
  created_at      timestamptz not null default clock_timestamp(),
  updated_at      timestamptz not null default clock_timestamp(),
  version         integer not null default 1,
  primary key (tenant_id, okr_id)
);
create index okrs_by_owner on okrs (tenant_id, owner, okr_id desc);
select make_tenant_table('okrs');

create table okr_key_results (
  tenant_id     text not null,
  okr_id        uuid not null,
  key_result_id uuid not null,
  title         text not null,
  position      integer not null,
  weight        numeric not null default 1 check (weight between 0 and 100),
  measure       jsonb not null,                -- {kind, start?, target?, unit?}
  current       numeric,                       -- of the measure number
  progress      numeric(5, 2) not null default 0 check (progress between 0 and 100),
  status        text not null default 'not-started'
                check (status in ('not-started', 'in-progress', 'completed', 'blocked')),
  status_reason text,
  updated_at    timestamptz not null default clock_timestamp(),
  primary key (tenant_id, okr_id, key_result_id),
  foreign key (tenant_id, okr_id) references okrs on delete cascade,
  check ((progress = 100) = (status = 'completed'))
);
select make_tenant_table('okr_key_results');

create table okr_runs (
  tenant_id     text not null,
  okr_id        uuid not null,
  run_id        uuid not null,
  status        text not null check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
  mode          text not null check (mode in ('parallel', 'sequential')),
  items         jsonb not null,                -- one for each key result: its task, and what became of it
  instructions  text,
  task_template jsonb,                         -- as it was when the run began
  created_by    text not null,                 -- its tasks belong to this subject
  acts_as       jsonb not null,                -- the credential: {homeTenantId, roles, scopes, keyId}
  created_at    timestamptz not null default clock_timestamp(),
  ended_at      timestamptz,
  error         jsonb,
  primary key (tenant_id, okr_id, run_id),
  foreign key (tenant_id, okr_id) references okrs on delete cascade
);
-- An objective has one open run.
create unique index okr_runs_open on okr_runs (tenant_id, okr_id) where status in ('pending', 'running');
create index okr_runs_ended on okr_runs (tenant_id, ended_at) where ended_at is not null;
select make_tenant_table('okr_runs');
