-- Output by line, attempts by their place in the log, and the drafts of reviews. ui-6.4, ui-6.5, ui-6.6.

-- Line breaks in all output so far. Null: the task is from before lines were counted. Only new rows get the default, so
-- that no table is rewritten here; readers count the lines of older tasks themselves.
alter table tasks add column output_lines bigint;
alter table tasks alter column output_lines set default 0;
-- Of an output event: the line of the task's whole output in which it begins, from 1.
alter table task_events add column line bigint;
-- The number of the event with which the attempt begins. Null: as above.
alter table task_runs add column first_seq bigint;

-- One row per task and caller who reviews it: comments that were not sent to the agent yet.
create table task_reviews (
  tenant_id  text not null,
  task_id    uuid not null,
  subject    text not null,                 -- the caller; nobody else sees the draft
  comments   jsonb not null,                -- [{path?, side?, line?, end_line?, quote?, text}]
  viewed     jsonb not null default '[]',   -- paths
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, task_id, subject),
  foreign key (tenant_id, task_id) references tasks on delete cascade
);
select make_tenant_table('task_reviews');
