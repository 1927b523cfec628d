-- Ends attempts of one tenant with completed, failed or cancelled, for a batch of releases.
--
-- p_rows: array of {task_id, lease_token, subject?, status, result?, error?, usage?, artifacts?: [{data, size}],
-- artifact_bytes?, most_artifact_bytes?, changes?, digest?}, each task once; `subject`, `changes` and the bound as in
-- queue-report.sql.
-- `digest` covers the complete release and is kept with its attempt: a release with an equal digest is `repeated`, one
-- with another digest `differs`. An attempt that a caller's cancel ended has no digest, so status and result are
-- compared.
-- Artifacts and the final status event are appended together. The lease token stays, so that a repeat and late
-- artifacts of a cancelled attempt are recognised. The caller has locked the tasks (queue-flush.sql); workers are
-- locked in id order, so concurrent commits do not deadlock.
-- Returns the text of an array of {task_id, verdict: finished | repeated | differs | lease_lost | artifacts_full,
-- status, seq}; when webhooks were written, `,"outbox":` and the result of write_webhooks for p_capacity follow it.
-- `outbox_seq` records that they were written: otherwise the trigger of outbox.sql writes them one by one, as it does
-- for tasks that have push configs too.
-- Every table is read by primary key, starting from the batch (connections.ts explains why): `status || ''` keeps the
-- planner from the index of running rows, `offset 0` keeps it from starting the join at the table, and new column
-- values are looked up in the batch by subqueries, because the join of an update could start at the table too.
create or replace function queue_finish(p_tenant text, p_rows jsonb, p_capacity jsonb) returns text
language plpgsql as $$
declare
  answer jsonb;
  with_webhook uuid[];
begin
  with input as materialized (
    select r.*, coalesce(jsonb_array_length(r.artifacts), 0) as artifact_count
    from jsonb_to_recordset(p_rows) as r(task_id uuid, lease_token uuid, subject text, status text, result text, error jsonb,
      usage jsonb, artifacts jsonb, artifact_bytes bigint, most_artifact_bytes bigint, changes jsonb,
      digest text)
  ), known as materialized (
    select t.*, i.*, t.last_seq + i.artifact_count + 1 as seq,
      coalesce(t.taken_bytes + i.artifact_bytes > i.most_artifact_bytes, false) as is_full
    from input i cross join lateral (
      select t.id, t.last_seq, t.worker_id, t.epoch, t.run_id, t.attempt, t.artifact_bytes as taken_bytes,
        t.webhook_url is not null and not t.has_push_configs as writes_webhook
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
      -- last_event_n passes the numbers of these artifacts, so that a repeat does not append them again.
      (status, result, error, usage, last_seq, outbox_seq, artifact_bytes, changes, last_event_n) =
        (select h.status, h.result, h.error, h.usage, h.seq, case when h.writes_webhook then h.seq end,
          h.taken_bytes + coalesce(h.artifact_bytes, 0), coalesce(h.changes, t.changes),
          first_release_number() + h.artifact_count
        from held h where h.id = t.id),
      completed_at = now(), updated_at = now(), last_event_at = now(), lease_expires_at = null, paused_at = null,
      lease_seen = true
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
    array_agg(h.id) filter (where h.writes_webhook and not h.is_full)
  into answer, with_webhook
  from input i left join known h on h.id = i.task_id
  where (select count(*) from indexed) >= 0;

  if answer @? '$[*] ? (@.verdict == "lease_lost")' then
    -- An equal release under a lease that was already released returns the first result again. A caller's cancel leaves
    -- no digest: the worker's first release after the cancel leaves its own, and later releases are compared with that.
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
  -- A release of a cancelled attempt also confirms that the cancel was delivered.
  if answer @? '$[*] ? (@.verdict == "repeated" && @.status == "cancelled")' then
    update interventions i set status = 'delivered', reason = null, settled_at = clock_timestamp()
    from jsonb_to_recordset(answer) as a(task_id uuid, status text, verdict text)
    where a.verdict = 'repeated' and a.status = 'cancelled' and i.tenant_id = p_tenant and i.task_id = a.task_id
      and i.action = 'cancel' and i.status in ('queued', 'sent');
  end if;
  if with_webhook is null then return answer::text; end if;
  return answer::text || ',"outbox":' || write_webhooks(p_tenant, with_webhook, p_capacity);
end $$;
