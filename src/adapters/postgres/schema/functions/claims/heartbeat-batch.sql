-- Heartbeats of workers that run nothing, for one group of a commit. Workers that hold leases use worker-renew.sql.
--
-- p_heartbeats: array of {worker_id, subject?, intent?, check_waiting?}; `subject` as in queue-claim.sql; `intent` is
-- the id of the call's audit intent, which is dropped when the heartbeat is rejected (store-audit-intents.sql);
-- `check_waiting` says whether to look for tasks that the worker could claim.
-- Returns the text of an array of the rejected heartbeats, {n, intent, verdict: no_such_worker | row_held}, and of
-- those whose worker has waiting tasks, {n, verdict: taken, waiting: true}; n from 0 in the order of p_heartbeats.
-- A row that another transaction holds is skipped (row_held), and its caller renews alone: a shared commit waits for no
-- worker's row, so one worker delays nobody else. Finishes lock rows of workers too; skipping also keeps them from
-- deadlocking with heartbeats of another connection or replica. Rows are locked before the update, in id order and by
-- primary key, so that an unregister that committed meanwhile is seen.
create or replace function heartbeat_batch(p_tenant text, p_heartbeats jsonb) returns text
language plpgsql as $$
declare
  taken bigint[];
  workers_taken uuid[];
  answer text;
begin
  with requested as materialized (
    select b.n, (b.heartbeat->>'worker_id')::uuid as worker_id, b.heartbeat->>'subject' as subject
    from jsonb_array_elements(p_heartbeats) with ordinality as b(heartbeat, n) order by 2
  )
  select array_agg(a.n), array_agg(a.worker_id) into taken, workers_taken
  from requested a cross join lateral (
    select from workers w where w.tenant_id = p_tenant and w.worker_id = a.worker_id
      and w.unregistered_at is null and (a.subject is null or w.subject = a.subject)
    for no key update skip locked
  ) w;
  update workers w set last_heartbeat_at = clock_timestamp()
  where w.tenant_id = p_tenant and w.worker_id = any (workers_taken);
  if cardinality(taken) = jsonb_array_length(p_heartbeats)
    and not (p_heartbeats @? '$[*] ? (@.check_waiting == true)'
      and exists (select from tasks t where t.tenant_id = p_tenant and t.status = 'pending')) then
    return '[]';
  end if;

  select json_agg(case when b.n = any (taken) then json_build_object('n', b.n - 1, 'verdict', 'taken', 'waiting', true)
    else json_build_object('n', b.n - 1, 'intent', b.heartbeat->'intent', 'verdict', case when exists (
      select from workers w where w.tenant_id = p_tenant and w.worker_id = (b.heartbeat->>'worker_id')::uuid
        and w.unregistered_at is null and (b.heartbeat->>'subject' is null or w.subject = b.heartbeat->>'subject'))
    then 'row_held' else 'no_such_worker' end) end)
  into answer
  from jsonb_array_elements(p_heartbeats) with ordinality as b(heartbeat, n)
  where case when b.n = any (coalesce(taken, '{}'))
    then (b.heartbeat->>'check_waiting')::boolean and tasks_waiting(p_tenant, (b.heartbeat->>'worker_id')::uuid) else true end;
  return coalesce(answer, '[]');
end $$;
