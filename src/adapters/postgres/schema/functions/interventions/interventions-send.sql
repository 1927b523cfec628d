-- The interventions of some tasks of one worker that the worker has not confirmed yet, oldest first; marks them as
-- sent.
--
-- They are sent again with each heartbeat until the worker confirms them or the attempt ends; the worker recognises
-- each by its id. At most 100 at a time and a million characters, but always one. A cancelled task has only its cancel
-- left to send.
-- Returns an array of {id, task_id, action, message?, message_id?}.
create or replace function interventions_send(p_tenant text, p_worker uuid, p_tasks uuid[]) returns jsonb
language plpgsql as $$
declare answer jsonb;
begin
  with due as (
    select i.intervention_id as id, i.task_id, i.action, i.message, i.message_id, i.status,
      sum(coalesce(length(i.message), 0)) over (order by i.intervention_id) as chars,
      row_number() over (order by i.intervention_id) as rank
    from interventions i
    where i.tenant_id = p_tenant and i.task_id = any (p_tasks) and i.status in ('queued', 'sent')
    order by i.intervention_id limit 100
  ), selected as materialized (
    select * from due where rank = 1 or chars <= 1000000
  ), free as materialized (
    -- Skips locked rows: a transaction that ends the attempt holds them, and settles them itself.
    select i.intervention_id as id from interventions i
    where i.tenant_id = p_tenant and i.intervention_id = any (array(select id from selected)) and i.status = 'queued'
    for update skip locked
  ), marked as (
    update interventions i set status = 'sent', sent_at = coalesce(i.sent_at, clock_timestamp()), worker_id = p_worker
    where i.tenant_id = p_tenant and i.intervention_id = any (array(select id from free))
  )
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', id, 'task_id', task_id, 'action', action,
    'message', message, 'message_id', message_id)) order by id)
  into answer from selected;
  return coalesce(answer, '[]');
end $$;
