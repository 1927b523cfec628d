-- Jobs that create a task at each due time, and their runs. platform-3.

-- One row per job.
create table cronjobs (
  tenant_id               text not null references tenants,
  cronjob_id              uuid not null,
  name                    text not null,
  description             text,
  cron                    text not null,
  timezone                text not null,            -- IANA name
  enabled                 boolean not null,
  overlap                 text not null check (overlap in ('skip', 'allow', 'cancel_previous')),
  catch_up                text not null check (catch_up in ('none', 'last', 'all')),
  catch_up_window_seconds integer not null,
  jitter_seconds          integer not null,
  starts_at               timestamptz,
  ends_at                 timestamptz,
  task_template           jsonb not null,
  created_by              text not null,            -- the owner: its tasks belong to it
  acts_as                 jsonb not null,           -- the owner's credential: {homeTenantId, roles, scopes, keyId}
  created_at              timestamptz not null default clock_timestamp(),
  updated_at              timestamptz not null default clock_timestamp(),
  due_at                  timestamptz,              -- the next due time; null: there is none
  fire_at                 timestamptz,              -- due_at and the jitter
  last_due_at             timestamptz,
  last_run_id             uuid,
  last_error              jsonb,
  run_count               bigint not null default 0, -- runs with a task
  failure_count           bigint not null default 0, -- runs that failed
  version                 integer not null default 1,
  primary key (tenant_id, cronjob_id)
);
create index cronjobs_due on cronjobs (fire_at) where enabled;
select make_tenant_table('cronjobs');

-- The jitter is the same for each due time of a job, so that its runs keep their distance.
create function cronjob_fire_at() returns trigger language plpgsql as $$
begin
  new.fire_at := new.due_at + make_interval(secs =>
    mod(hashtextextended(new.cronjob_id::text, 0) & 9223372036854775807, new.jitter_seconds + 1));
  return new;
end $$;
create trigger cronjob_fire_at before insert or update of due_at, jitter_seconds on cronjobs
  for each row execute function cronjob_fire_at();

-- One row per due time or manual start of a job.
create table cronjob_runs (
  tenant_id    text not null,
  cronjob_id   uuid not null,
  due_at       timestamptz not null,
  run_id       uuid not null,
  trigger      text not null check (trigger in ('schedule', 'manual', 'catch_up')),
  status       text not null check (status in ('started', 'completed', 'failed', 'cancelled', 'skipped', 'missed')),
  task_id      uuid,
  reason       text,
  missed_count integer,
  started_at   timestamptz not null default clock_timestamp(),
  ended_at     timestamptz,
  error        jsonb,
  primary key (tenant_id, cronjob_id, due_at, run_id),
  foreign key (tenant_id, cronjob_id) references cronjobs on delete cascade
);
-- A due time makes one run, whoever notices it.
create unique index cronjob_runs_once on cronjob_runs (tenant_id, cronjob_id, due_at) where trigger <> 'manual';
create index cronjob_runs_newest on cronjob_runs (tenant_id, cronjob_id, run_id desc);
create index cronjob_runs_open on cronjob_runs (tenant_id, task_id) where status = 'started';
create index cronjob_runs_ended on cronjob_runs (tenant_id, ended_at) where ended_at is not null;
select make_tenant_table('cronjob_runs');
