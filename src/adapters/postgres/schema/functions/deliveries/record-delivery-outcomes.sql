-- Records the outcomes of delivery attempts of one tenant, a batch at a time.
--
-- p_settled: {max_tries, outcomes: [{task_id, delivery_id, epoch, delivered, status_code, error, wait_seconds}]}, each
-- delivery once. Returns the text of an array of {delivery_id, status} of the deliveries whose claim still held. An
-- outcome under an older epoch, or of a delivery that has ended, changes nothing. A retry is due `wait_seconds` from
-- now.
-- Rows are found by primary key, and each row's outcome by its place in the batch: a join could begin at the table and
-- read all rows of the tenant.
create or replace function record_delivery_outcomes(p_tenant text, p_settled jsonb) returns text
language plpgsql as $$
declare
  outcomes jsonb := p_settled->'outcomes';
  max_tries integer := (p_settled->>'max_tries')::integer;
  tasks uuid[];
  ids uuid[];
  epochs bigint[];
  answer text;
begin
  select array_agg(o.task_id order by n), array_agg(o.delivery_id order by n), array_agg(o.epoch order by n)
  into tasks, ids, epochs
  from rows from (jsonb_to_recordset(outcomes) as (task_id uuid, delivery_id uuid, epoch bigint))
    with ordinality as o(task_id, delivery_id, epoch, n);
  with moved as (
    update deliveries d set claimed_until = null, (status, ended_at, due_at, attempts) = (
      select case when s.delivered then 'delivered' when s.over then 'dead' else 'pending' end,
        case when s.delivered or s.over then clock_timestamp() end,
        case when s.delivered or s.over then d.due_at
          else clock_timestamp() + make_interval(secs => (s.o->>'wait_seconds')::float8) end,
        jsonb_set(d.attempts, '{-1}', (d.attempts->-1)
          || jsonb_build_object('status_code', s.o->'status_code', 'error', s.o->'error'))
      from (select x.o, (x.o->>'delivered')::boolean as delivered, d.tries >= max_tries as over
        from (select outcomes->(array_position(ids, d.delivery_id) - 1) as o) x) s)
    where d.tenant_id = p_tenant and d.task_id = any (tasks) and d.status || '' = 'pending'
      and d.epoch = epochs[array_position(ids, d.delivery_id)]
    returning d.delivery_id, d.status
  )
  select coalesce(json_agg(row_to_json(m)), '[]') into answer from moved m;
  return answer;
end $$;
