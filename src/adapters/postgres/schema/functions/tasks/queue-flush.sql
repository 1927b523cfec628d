-- One group commit: what several callers asked for, in one statement and one transaction.
--
-- p_groups: array of {tenant, routes: [...], submit: [...], report: [...], finish: [...], capacity?: {…}, beat: [...],
-- settle?: {…}, claim: [{worker_id, limit, task_id?, subject?}], intents?: {id, chain}}, in tenant order; p_intents: a
-- line for each group that has intents, which is stored as it is. The tenant is set here, transaction-local, group by
-- group, so that row-level security binds its rows. Submits and finishes come before claims: a worker that waits gets a
-- task submitted in this very commit. Answers the text of a JSON array in the order of the groups.
-- Tasks that reports and finishes of a group name are locked first, together and in id order: two lanes, or two
-- replicas, that each report on what the other finishes would wait for each other for ever. A statement of its own, so
-- that those after it see what the lock was waited for.
-- The statements that it calls are written to have one sane plan only, by primary key (connections.ts says why).
create or replace function queue_flush(p_groups jsonb, p_lease interval, p_key_age interval, p_intents text default null)
returns text
language plpgsql as $$
declare
  g jsonb;
  tenant text;
  parts text[];
  answers text[];
  intents text[] := string_to_array(p_intents, E'\n');
  kept integer := 0;
begin
  for i in 0 .. jsonb_array_length(p_groups) - 1 loop
    g := p_groups->i;
    tenant := set_config('app.current_tenant_id', g->>'tenant', true);
    parts := '{}';
    if g ? 'submit' then
      parts := parts || ('"submit":' || queue_submit(tenant, g->'routes', g->'submit', p_key_age));
    end if;
    if g ?| '{report,finish}' then
      perform from tasks t where t.tenant_id = tenant and t.id = any (array(
        select (x->>'task_id')::uuid
        from jsonb_array_elements(coalesce(g->'report', '[]') || coalesce(g->'finish', '[]')) as x
      )) order by t.id for update;
    end if;
    if g ? 'report' then
      parts := parts || ('"report":' || queue_report(tenant, g->'report'));
    end if;
    if g ? 'finish' then
      parts := parts || ('"finish":' || queue_finish(tenant, g->'finish', g->'capacity'));
    end if;
    if g ? 'heartbeat' then
      parts := parts || ('"heartbeat":' || heartbeat_batch(tenant, g->'heartbeat'));
    end if;
    if g ? 'intents' then
      kept := kept + 1;
      perform store_audit_intents(tenant, g->'intents', intents[kept], array_to_string(parts, ','));
    end if;
    if g ? 'settle' then
      parts := parts || ('"settle":' || record_delivery_outcomes(tenant, g->'settle'));
    end if;
    if g ? 'claim' then
      parts := parts || ('"claim":' || claim_batch(tenant, g->'claim', p_lease));
    end if;
    answers := answers || ('{' || array_to_string(parts, ',') || '}');
  end loop;
  return '[' || array_to_string(answers, ',') || ']';
end $$;
