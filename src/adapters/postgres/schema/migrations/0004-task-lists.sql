-- Indexes for lists of tasks. Each holds few rows, so that submit, claim and finish of an ordinary task write none of them.

-- The tabs of failed and cancelled tasks, their counts, and the search for an error's code: written once, when a task ends
-- without success. ui-6.1.
create index tasks_unsuccessful on tasks (tenant_id, status, id) where status in ('failed', 'cancelled');
-- The filter retry_of. ui-6.1.
create index tasks_by_retry on tasks (tenant_id, retry_of, id) where retry_of is not null;
-- The list by priority: tasks without one follow in the order of the primary key. ui-6.1.
create index tasks_prioritized on tasks (tenant_id, priority, id) where priority > 0;
