-- Tasks of a tenant that ended after its mark: what a reader adds to the folded rows. Stable, so that it sees the
-- snapshot of the statement that calls it, and both are of one moment. Looks at p_limit events of the log at most.
-- The mark is read first: as a join the planner does not use it as a condition of the index.
create or replace function unfolded_ends(p_tenant text, p_limit integer) returns uuid[] language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  mark usage_marks;
begin
  select * into mark from usage_marks m where m.tenant_id = p_tenant;
  if not found then
    mark.xid := '0';
    mark.task_id := '00000000-0000-0000-0000-000000000000';
    mark.seq := 0;
  end if;
  return (
    select coalesce(array_agg(p.task_id) filter (where p.is_end), '{}') from (
      select e.task_id, e.type = 'status' and e.data @> '{"final": true}' as is_end from task_events e
      where e.tenant_id = p_tenant and e.type in ('status', 'message')
        and (e.xid, e.task_id, e.seq) > (mark.xid, mark.task_id, mark.seq)
      order by e.xid, e.task_id, e.seq limit p_limit) p);
end $$;
