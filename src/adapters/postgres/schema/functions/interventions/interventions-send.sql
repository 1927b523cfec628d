-- What people told some tasks of one worker and it has not answered yet, oldest first; marks it as sent.
--
-- Said again with each heartbeat until the worker answers or the run ends: it knows each by its id. At most 100 at a time,
-- and no more than a million characters, but always one. A cancelled task has nothing left to hear but its cancel.
-- Answers an array of {id, task_id, action, message?, message_id?}.
create or replace function interventions_send(p_tenant text, p_worker uuid, p_tasks uuid[]) returns jsonb
language plpgsql as $$
declare answer jsonb;
begin
  with due as (
    select i.intervention_id as id, i.task_id, i.action, i.message, i.message_id, i.status,
      sum(coalesce(length(i.message), 0)) over (order by i.intervention_id) as chars,
      row_number() over (order by i.intervention_id) as place
    from interventions i
    where i.tenant_id = p_tenant and i.task_id = any (p_tasks) and i.status in ('queued', 'sent')
    order by i.intervention_id limit 100
  ), going as materialized (
    select * from due where place = 1 or chars <= 1000000
  ), free as materialized (
    -- Waits for nobody: what ends the run at this moment has the rows, and says better how they stand.
    select i.intervention_id as id from interventions i
    where i.tenant_id = p_tenant and i.intervention_id = any (array(select id from going)) and i.status = 'queued'
    for update skip locked
  ), marked as (
    update interventions i set status = 'sent', sent_at = coalesce(i.sent_at, clock_timestamp()), worker_id = p_worker
    where i.tenant_id = p_tenant and i.intervention_id = any (array(select id from free))
  )
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', id, 'task_id', task_id, 'action', action,
    'message', message, 'message_id', message_id)) order by id)
  into answer from going;
  return coalesce(answer, '[]');
end $$;
