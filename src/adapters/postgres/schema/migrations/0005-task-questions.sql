-- Lists show of a task's agent its last words, its pause, the size of its changes, the options of its question; and they
-- show which task a task follows up. ui-6.2, ui-6.3.
--
-- The columns are written by statements that write the task's row anyway, and none of them changes with each report and
-- is in an index: a report would have to write it.
alter table tasks
  add column last_event_at timestamptz,         -- of the last event in its log; null: the event is older than the column
  add column output_seq    bigint,              -- of the last event of its output
  add column paused_at     timestamptz,         -- since when its agent has confirmed a pause
  add column changes       jsonb,               -- of its newest diff: {files, added, removed}
  add column follows       uuid;                -- the task whose review it carries out
alter table tasks alter column last_event_at set default now();

-- Running tasks are found by their silence. They are as many as there are busy slots; row-level security binds the owner
-- too, so it is lifted for this statement.
alter table tasks no force row level security;
update tasks set last_event_at = updated_at where status = 'running';
alter table tasks force row level security;

create index tasks_by_follows on tasks (tenant_id, follows, id) where follows is not null;

-- Of an agent's question: {kind: question | permission, options: [{value, label}], context}. Null: it is plain text.
alter table later_messages add column question jsonb;
