-- Tasks of a tenant that ended after its mark: what a reader adds to the folded rows, in one statement with them, so that
-- both are of one snapshot. Looks at p_limit events of the log at most.
create or replace function unfolded_ends(p_tenant text, p_limit integer) returns uuid[] language sql stable as $$
  select coalesce(array_agg(p.task_id) filter (where p.is_end), '{}')
  from (select coalesce(m.xid, '0') as xid, coalesce(m.task_id, '00000000-0000-0000-0000-000000000000') as task_id,
      coalesce(m.seq, 0) as seq
    from (select p_tenant as tenant_id) t left join usage_marks m using (tenant_id)) mark
  cross join lateral (
    select e.task_id, e.type = 'status' and e.data @> '{"final": true}' as is_end from task_events e
    where e.tenant_id = p_tenant and e.type in ('status', 'message')
      and (e.xid, e.task_id, e.seq) > (mark.xid, mark.task_id, mark.seq)
    order by e.xid, e.task_id, e.seq limit p_limit) p
$$;
