-- The A2A protocol lists tasks by the time of their status, the newest first (rows/task-lists.ts). Finished tasks are the
-- many: theirs is when they ended, which is written once, and in ascending order goes to the right edge of the index.
create index tasks_finished on tasks (tenant_id, completed_at, id) where completed_at is not null;
-- Those that wait may be as many; nothing writes to them while they wait.
create index tasks_waiting on tasks (tenant_id, updated_at, id) where status = 'pending';
-- Those that run or ask are few, and sorted when they are read: running ones have an index by worker.
create index tasks_asking on tasks (tenant_id, id) where status = 'needs_input';
