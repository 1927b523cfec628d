-- One group commit: what several callers asked for, in one statement and one transaction.
--
-- p_groups: array of {tenant, submit: [...], report: [...], finish: [...], claim: [{worker_id, limit, task_id?, subject?}]}, in
-- tenant order. The tenant is set here, transaction-local, group by group, so that row-level security binds each
-- group's rows. Submits and finishes come before claims: a worker that waits gets a task submitted in this very
-- commit. Answers an array in the order of the groups.
-- Reports and finishes of one group lock their tasks together, in id order: two lanes, or two replicas, that each
-- report on what the other finishes would wait for each other for ever.
create or replace function queue_flush(p_groups jsonb, p_lease interval, p_key_age interval) returns jsonb
language plpgsql as $$
declare
  g jsonb;
  answers jsonb := '[]';
  answer jsonb;
begin
  for g in select * from jsonb_array_elements(p_groups) loop
    perform set_config('app.current_tenant_id', g->>'tenant', true);
    answer := '{}';
    if g ? 'submit' then
      answer := answer || jsonb_build_object('submit', queue_submit(g->>'tenant', g->'submit', p_key_age));
    end if;
    if g ? 'report' and g ? 'finish' then
      perform from tasks t where t.tenant_id = g->>'tenant' and t.id in (
        select (id #>> '{}')::uuid from jsonb_path_query(g, '$["report", "finish"][*].task_id') as x(id)
      ) order by t.id for update;
    end if;
    if g ? 'report' then
      answer := answer || jsonb_build_object('report', queue_report(g->>'tenant', g->'report'));
    end if;
    if g ? 'finish' then
      answer := answer || jsonb_build_object('finish', queue_finish(g->>'tenant', g->'finish'));
    end if;
    if g ? 'claim' then
      answer := answer || jsonb_build_object('claim', (
        select jsonb_agg(queue_claim(g->>'tenant', (c->>'worker_id')::uuid, c->>'subject', (c->>'limit')::integer,
          (c->>'task_id')::uuid, p_lease) order by ord)
        from jsonb_array_elements(g->'claim') with ordinality as x(c, ord)));
    end if;
    answers := answers || jsonb_build_array(answer);
  end loop;
  return answers;
end $$;
