-- Keeps task_artifacts in step with artifact events just written to one task's log. The caller holds the task's row
-- lock.
--
-- p_events: array of {seq, size, artifact_id, name, mime_type, append} in order. An event that does not append starts
-- the artifact anew: its content then begins at that event.
create or replace function index_artifacts(p_tenant text, p_task uuid, p_events jsonb) returns void
language plpgsql as $$
declare e record;
begin
  for e in select * from jsonb_to_recordset(p_events)
    as x(seq bigint, size bigint, artifact_id text, name text, mime_type text, append boolean) order by x.seq
  loop
    insert into task_artifacts as a (tenant_id, task_id, artifact_id, name, mime_type, first_seq, last_seq, size)
    values (p_tenant, p_task, e.artifact_id, e.name, e.mime_type, e.seq, e.seq, e.size)
    on conflict (tenant_id, task_id, artifact_id) do update set
      name = excluded.name, mime_type = excluded.mime_type, last_seq = excluded.last_seq,
      first_seq = case when e.append then a.first_seq else excluded.first_seq end,
      size = case when e.append then a.size else 0 end + excluded.size;
  end loop;
end $$;
