-- Appends the events that workers report under their leases to the tasks' logs, for a batch of reports of one tenant.
--
-- p_rows: array of {task_id, lease_token, subject?, contiguous?, events: [{n, type, data, size?}], answers?,
-- changes?, most_artifact_bytes?}, each task once, n ascending in a report. A lease of another subject's worker is
-- `lease_lost`; the worker's subject is read by primary key in a subquery, because a join could start at the subject, which may have
-- ten thousand workers.
-- Events with a known n are dropped, so repeating a report is harmless. Artifacts are indexed as they are appended.
-- `contiguous`: a report whose numbers leave a gap is rejected completely, because the events that fill the gap later
-- would be dropped as known. Numbers count whether their events are kept or, after a cancel, dropped. `expected` is the
-- first missing number.
-- For late_artifact_time() after a cancel the killed attempt's artifacts are still accepted (choices-2). Its
-- confirmations of interventions are accepted at any time. `answers`: [{id, status, reason?}] repeats the confirmations
-- among the events; they settle open interventions.
-- The last checkpoint of a task, and the last event of its output, are found by their numbers in the log.
-- `changes`: the size of the last diff among the events; null: it comes in pieces. It and a confirmed pause are rare, so
-- each is an update of its own.
-- Each output event is stored with the line of the task's whole output in which it begins, so that no reader counts
-- (ui-6.4.3).
-- `most_artifact_bytes`: a report that would bring the sum of the task's artifact bytes above it is rejected
-- (choices-9).
-- Returns the text of an array of {task_id, verdict: taken | event_gap | lease_lost | artifacts_full, seq,
-- cancel_requested, expected?}.
-- The caller has locked the tasks. Every table is read by primary key, as in queue-finish.sql.
create or replace function queue_report(p_tenant text, p_rows jsonb) returns text
language plpgsql as $$
declare answer text;
begin
  with input as materialized (
    select * from jsonb_to_recordset(p_rows) as r(task_id uuid, lease_token uuid, subject text, contiguous boolean, events jsonb,
      answers jsonb, most_artifact_bytes bigint)
  ), held as materialized (
    select t.*, i.events, i.contiguous, i.most_artifact_bytes from input i cross join lateral (
      select t.id, t.last_seq, t.last_event_n, t.status, t.artifact_bytes, t.output_lines,
        t.completed_at > clock_timestamp() - late_artifact_time() as is_recent
      from tasks t
      where t.tenant_id = p_tenant and t.id = i.task_id and t.lease_token = i.lease_token
        and (t.status || '' = 'running'
          or (t.status || '' = 'cancelled'
            and (i.answers is not null or t.completed_at > clock_timestamp() - late_artifact_time())))
        and (i.subject is null or i.subject = (
          select w.subject from workers w where w.tenant_id = p_tenant and w.worker_id = t.worker_id))
      offset 0
    ) t
  ), numbered as materialized (
    select h.id, e.n, e.type, e.data, e.size, k.kept,
      h.last_seq + count(*) filter (where k.kept) over (partition by h.id order by e.n) as seq,
      h.contiguous, h.last_event_n + row_number() over (partition by h.id order by e.n) as expected,
      l.lines, h.output_lines + 1 + sum(l.lines) over (partition by h.id order by e.n) - l.lines as line
    from held h cross join lateral jsonb_to_recordset(h.events) as e(n bigint, type text, data jsonb, size bigint)
    cross join lateral (
      select h.status = 'running' or e.type = 'intervention' or (e.type = 'artifact' and h.is_recent) as kept
    ) k
    cross join lateral (
      select case when k.kept and e.type = 'output'
        then octet_length(e.data->>'text') - octet_length(replace(e.data->>'text', E'\n', '')) else 0 end as lines
    ) l
    where e.n > h.last_event_n
  ), gap as materialized (
    select id, min(expected) as expected from numbered where contiguous and n <> expected group by id
  ), reported as materialized (
    select id, sum(size) as bytes from numbered where type = 'artifact' and kept group by id
  ), rejected as materialized (
    select h.id from held h join reported b on b.id = h.id where h.artifact_bytes + b.bytes > h.most_artifact_bytes
  ), fresh as materialized (
    select * from numbered
    where not id = any (array(select id from gap)) and not id = any (array(select id from rejected))
  ), ends as materialized (
    select id, max(seq) as seq, max(n) as n, sum(lines) as lines,
      max(seq) filter (where type = 'checkpoint' and kept) as checkpoint,
      max(seq) filter (where type = 'output' and kept) as output
    from fresh group by id
  ), moved as (
    update tasks t set (last_seq, last_event_n, checkpoint_seq, output_seq, output_lines) =
        (select f.seq, f.n, coalesce(f.checkpoint, t.checkpoint_seq), coalesce(f.output, t.output_seq),
           t.output_lines + f.lines
         from ends f where f.id = t.id),
      artifact_bytes = t.artifact_bytes + coalesce((select b.bytes from reported b where b.id = t.id), 0),
      lease_seen = true, updated_at = now(), last_event_at = now()
    where t.tenant_id = p_tenant and t.id = any (array(select id from ends))
  ), event as (
    insert into task_events (tenant_id, task_id, seq, type, data, line)
    select p_tenant, id, seq, type, data, case type when 'output' then line end from fresh where kept
  ), artifact as (
    select index_artifacts(p_tenant, id, jsonb_agg(jsonb_build_object('seq', seq, 'size', size,
      'artifact_id', data->>'artifact_id', 'name', data->>'name', 'mime_type', data->>'mime_type',
      'append', coalesce((data->>'append')::boolean, false)) order by seq))
    from fresh where type = 'artifact' and kept group by id
  )
  select jsonb_agg(jsonb_build_object('task_id', i.task_id,
      'verdict', case when h.id is null then 'lease_lost' when g.id is not null then 'event_gap'
        when h.id in (select id from rejected) then 'artifacts_full' else 'taken' end,
      'expected', g.expected,
      'seq', coalesce((select f.seq from ends f where f.id = h.id), h.last_seq),
      'cancel_requested', coalesce(h.status = 'cancelled', false)))
  into answer
  from input i left join held h on h.id = i.task_id left join gap g on g.id = i.task_id
  where (select count(*) from artifact) >= 0;

  if p_rows @? '$[*].answers' then
    with settled as (
      update interventions i set status = a.status, reason = a.reason, settled_at = clock_timestamp()
      from jsonb_to_recordset(p_rows) as r(task_id uuid, answers jsonb)
      join jsonb_to_recordset(answer::jsonb) as v(task_id uuid, verdict text) on v.task_id = r.task_id and v.verdict = 'taken'
      cross join lateral rows from (jsonb_to_recordset(r.answers) as (id uuid, status text, reason text))
        with ordinality as a(id, status, reason, place)
      where i.tenant_id = p_tenant and i.intervention_id = a.id and i.task_id = r.task_id and i.status in ('queued', 'sent')
      returning i.task_id, i.action, i.status, a.place
    ), paused as materialized (
      select distinct on (task_id) task_id, action from settled
      where status = 'delivered' and action in ('pause', 'resume') order by task_id, place desc
    )
    update tasks t set paused_at = case (select p.action from paused p where p.task_id = t.id) when 'pause' then now() end
    where t.tenant_id = p_tenant and t.id = any (array(select task_id from paused)) and t.status || '' = 'running';
  end if;
  if p_rows @? '$[*].changes' then
    update tasks t set changes = (
      select nullif(r.item->'changes', 'null') from jsonb_array_elements(p_rows) as r(item)
      where (r.item->>'task_id')::uuid = t.id)
    where t.tenant_id = p_tenant and t.id = any (array(
      select v.task_id from jsonb_to_recordset(answer::jsonb) as v(task_id uuid, verdict text)
      join jsonb_array_elements(p_rows) as r(item) on (r.item->>'task_id')::uuid = v.task_id
      where v.verdict = 'taken' and r.item ? 'changes'));
  end if;
  return answer;
end $$;
