-- One group commit: the calls of several callers in one statement and one transaction.
--
-- p_groups: array of {tenant, routes: [...], submit: [...], report: [...], finish: [...], capacity?: {…}, heartbeat:
-- [...], settle?: {…}, claim: [{worker_id, limit, task_id?, subject?}], intents?: {id, chain}}, in tenant order.
-- p_intents: one line for each group that has intents, stored as it is. The tenant is set here, transaction-local,
-- group by group, so that row-level security binds the group's rows. Submits and finishes run before claims: a waiting
-- worker gets a task submitted in this very commit. Returns the text of a JSON array in the order of the groups.
-- Tasks named by reports and finishes of a group are locked first, together and in id order: otherwise two commits,
-- each reporting on a task that the other finishes, would deadlock. The lock is a statement of its own, so that later
-- statements see what it waited for.
-- All called statements are written to have one sane plan only, by primary key (connections.ts explains why).
create or replace function queue_flush(p_groups jsonb, p_lease interval, p_key_age interval, p_intents text default null)
returns text
language plpgsql as $$
declare
  g jsonb;
  tenant text;
  parts text[];
  answers text[];
  intents text[] := string_to_array(p_intents, E'\n');
  group_of_intents integer := 0;
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
      group_of_intents := group_of_intents + 1;
      perform store_audit_intents(tenant, g->'intents', intents[group_of_intents], array_to_string(parts, ','));
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
