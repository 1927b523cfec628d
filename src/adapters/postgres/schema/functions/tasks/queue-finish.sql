-- Ends runs of one tenant with completed, failed or cancelled, for a batch of releases.
--
-- p_rows: array of {task_id, lease_token, subject?, status, result?, error?, usage?, artifacts?: [{data, size}],
-- artifact_bytes?, most_artifact_bytes?, digest?}, each task once; `subject` and the bound as in queue-report.sql. `digest` is
-- of the whole release and kept with its run: an equal one is a repeat, another one `differs`. A run that a caller's cancel
-- ended has none, and its status and result are compared.
-- Artifacts and the final status event are appended in one go; the lease token stays, so that a repeat is
-- recognised and late artifacts of a cancelled run are. The caller has locked the tasks (queue-flush.sql); workers are
-- locked by id: no deadlock between lanes. Answers the text of an array of {task_id, verdict: finished | repeated |
-- differs | lease_lost | artifacts_full, status, seq}; behind it, when webhooks were written, `,"outbox":` and what write-webhooks.sql answers to p_capacity.
-- `outbox_seq` says that they were: without it the trigger of outbox.sql writes them one by one, as it does those of tasks
-- that have push notifications too.
-- Every table is found by primary key, from the batch (connections.ts says why): `status || ''` keeps the planner from the
-- index of running rows, `offset 0` from beginning the join at the table, and what a row is set to is looked up in the
-- batch, for a join of an update could begin at the table too.
create or replace function queue_finish(p_tenant text, p_rows jsonb, p_capacity jsonb) returns text
language plpgsql as $$
declare
  answer jsonb;
  told uuid[];
begin
  with input as materialized (
    select r.*, coalesce(jsonb_array_length(r.artifacts), 0) as artifact_count
    from jsonb_to_recordset(p_rows) as r(task_id uuid, lease_token uuid, subject text, status text, result text, error jsonb,
      usage jsonb, artifacts jsonb, artifact_bytes bigint, most_artifact_bytes bigint, digest text)
  ), known as materialized (
    select t.*, i.*, t.last_seq + i.artifact_count + 1 as seq,
      coalesce(t.taken_bytes + i.artifact_bytes > i.most_artifact_bytes, false) as is_full
    from input i cross join lateral (
      select t.id, t.last_seq, t.worker_id, t.epoch, t.run_id, t.attempt, t.artifact_bytes as taken_bytes,
        t.webhook_url is not null and not t.has_push_configs as told
      from tasks t
      where t.tenant_id = p_tenant and t.id = i.task_id and t.lease_token = i.lease_token
        and t.status || '' = 'running'
        and (i.subject is null or i.subject = (
          select w.subject from workers w where w.tenant_id = p_tenant and w.worker_id = t.worker_id))
      offset 0
    ) t
  ), held as materialized (
    select * from known where not is_full
  ), moved as (
    update tasks t set
      -- A repeat of this release has brought these artifacts already.
      (status, result, error, usage, last_seq, outbox_seq, artifact_bytes, last_event_n) =
        (select h.status, h.result, h.error, h.usage, h.seq, case when h.told then h.seq end,
          h.taken_bytes + coalesce(h.artifact_bytes, 0), first_release_number() + h.artifact_count
        from held h where h.id = t.id),
      completed_at = now(), updated_at = now(), lease_expires_at = null, lease_seen = true
    where t.tenant_id = p_tenant and t.id = any (array(select id from held))
  ), run as (
    update task_runs r set
      (status, error, usage, release_digest) =
        (select h.status, h.error, h.usage, h.digest from held h where h.id = r.task_id),
      ended_at = now()
    where r.tenant_id = p_tenant and r.task_id = any (array(select id from held))
      and r.epoch = (select h.epoch from held h where h.id = r.task_id)
  ), event as (
    insert into task_events (tenant_id, task_id, seq, type, data)
    select p_tenant, h.id, h.seq, 'status', jsonb_strip_nulls(jsonb_build_object(
      'status', h.status, 'final', true, 'run_id', h.run_id, 'worker_id', h.worker_id, 'attempt', h.attempt,
      'result', h.result, 'error', h.error, 'usage', h.usage))
    from held h
  ), artifact as (
    insert into task_events (tenant_id, task_id, seq, type, data)
    select p_tenant, h.id, h.last_seq + a.ord, 'artifact', a.item->'data'
    from held h cross join lateral jsonb_array_elements(h.artifacts) with ordinality as a(item, ord)
    where h.artifact_count > 0
  ), indexed as (
    select index_artifacts(p_tenant, h.id, (
      select jsonb_agg(jsonb_build_object('seq', h.last_seq + a.ord, 'size', a.item->'size',
        'artifact_id', a.item->'data'->>'artifact_id', 'name', a.item->'data'->>'name',
        'mime_type', a.item->'data'->>'mime_type', 'append', coalesce(a.item->'data'->'append', 'false')))
      from jsonb_array_elements(h.artifacts) with ordinality as a(item, ord)))
    from held h where h.artifact_count > 0
  ), finished as materialized (
    select worker_id, count(*) as n from held where status = 'completed' group by worker_id order by worker_id
  ), counted as (
    update workers w
    set tasks_completed = w.tasks_completed + (select f.n from finished f where f.worker_id = w.worker_id)
    where w.tenant_id = p_tenant and w.worker_id = any (array(select worker_id from finished))
  )
  select jsonb_agg(jsonb_build_object('task_id', i.task_id, 'status', i.status, 'seq', h.seq,
      'verdict', case when h.id is null then 'lease_lost' when h.is_full then 'artifacts_full' else 'finished' end)),
    array_agg(h.id) filter (where h.told and not h.is_full)
  into answer, told
  from input i left join known h on h.id = i.task_id
  where (select count(*) from indexed) >= 0;

  if answer @? '$[*] ? (@.verdict == "lease_lost")' then
    -- An equal release under the same lease that has already counted answers as the first did. A caller's cancel leaves no
    -- digest: the worker's first release after it leaves its own, with which later ones are compared.
    select jsonb_agg(case when t.equal is null then to_jsonb(a) when not t.equal then to_jsonb(a) || '{"verdict": "differs"}'
      else jsonb_build_object(
        'task_id', a.task_id, 'status', a.status, 'verdict', 'repeated', 'seq', (
          select e.seq from task_events e where e.tenant_id = p_tenant and e.task_id = t.id and e.type = 'status'
            and (e.data->>'final')::boolean)) end)
    into answer
    from jsonb_to_recordset(answer) as a(task_id uuid, status text, verdict text, seq bigint)
    join jsonb_to_recordset(p_rows) as i(task_id uuid, lease_token uuid, subject text, status text, result text, digest text)
      on i.task_id = a.task_id
    left join lateral (
      select t.id, coalesce(r.release_digest = i.digest,
        case when t.status = i.status and t.result is not distinct from i.result then true end) as equal
      from tasks t join task_runs r on r.tenant_id = p_tenant and r.task_id = t.id and r.epoch = t.epoch
      where a.verdict = 'lease_lost' and t.tenant_id = p_tenant and t.id = i.task_id and t.lease_token = i.lease_token
        and t.status || '' in ('completed', 'failed', 'cancelled')
        and (i.subject is null or i.subject = (
          select w.subject from workers w where w.tenant_id = p_tenant and w.worker_id = t.worker_id))
      offset 0
    ) t on true;
    update task_runs r set release_digest = i.digest
    from jsonb_to_recordset(answer) as a(task_id uuid, verdict text)
    join jsonb_to_recordset(p_rows) as i(task_id uuid, lease_token uuid, digest text) on i.task_id = a.task_id
    where a.verdict = 'repeated' and r.tenant_id = p_tenant and r.task_id = i.task_id and r.lease_token = i.lease_token
      and r.release_digest is null;
  end if;
  -- The worker's word that it has ended a cancelled run is its word on the cancel too.
  if answer @? '$[*] ? (@.verdict == "repeated" && @.status == "cancelled")' then
    update interventions i set status = 'delivered', reason = null, settled_at = clock_timestamp()
    from jsonb_to_recordset(answer) as a(task_id uuid, status text, verdict text)
    where a.verdict = 'repeated' and a.status = 'cancelled' and i.tenant_id = p_tenant and i.task_id = a.task_id
      and i.action = 'cancel' and i.status in ('queued', 'sent');
  end if;
  return answer::text || case when told is null then '' else ',"outbox":' || write_webhooks(p_tenant, told, p_capacity) end;
end $$;
