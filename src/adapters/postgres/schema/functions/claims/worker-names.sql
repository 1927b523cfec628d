-- The names by which a task may target this worker: its own name, and the agents that it runs.
--
-- A name belongs to the credential that registered it first. When another credential registers a worker under the same
-- name, or lists the name among its agents, that name does not target its worker: it would get tasks meant for somebody
-- else.
-- This is the only place of the rule: routing in SQL and in code both read it. choices-4.
create or replace function worker_names(w workers) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct n.name), '{}')
  from (select w.name union all select unnest(w.agents)) as n(name)
  where not exists (
    select from workers o where o.tenant_id = w.tenant_id and o.name = n.name and o.subject <> w.subject
      and (n.name <> w.name or (o.registered_at, o.worker_id) < (w.registered_at, w.worker_id)))
    and not exists (
    select from agent_registrations a where a.tenant_id = w.tenant_id and a.name = w.name and n.name = w.name
      and a.subject <> w.subject and a.registered_at < w.registered_at)
$$;
