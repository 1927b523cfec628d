-- The trace that a task belongs to, as W3C Trace Context writes it (`00-<trace>-<span>-<flags>`): it goes to the worker
-- with the task and to receivers with each delivery. Null: whoever asked for the task was in none.
alter table tasks add column traceparent text check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$');
-- A copy, so that the sender reads no task.
alter table deliveries add column traceparent text;
