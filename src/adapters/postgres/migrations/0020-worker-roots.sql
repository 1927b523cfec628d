-- Which folders of its machine a worker lets callers name, as it said at registration; null: it did not say.
-- choices §3, "Which folders may be served".
alter table workers add column codebase_roots text[];
-- A name belongs to the credential that registered it first (functions/worker-names.sql).
create index workers_by_name on workers (tenant_id, name, registered_at);
-- A worker that refused a task for good is looked up when what it may serve changes.
create index task_holds_for_good on task_holds (tenant_id, worker_id) where held_until = 'infinity';
