-- Writes the webhooks of tasks that a batch has just ended (queue-finish.sql), and claims as many of them as p_capacity
-- allows for the replica that makes this commit: the claim and the first attempt are part of the insert. An ordinary
-- delivery therefore costs one insert here and one update when its outcome is known (record-delivery-outcomes.sql).
-- Webhooks beyond the capacity wait for a free slot like every other delivery (find-due-deliveries.sql).
--
-- p_capacity: {lease, limit, per_host, hosts: {host: n}}: seconds that a claim holds, deliveries in all and per
-- receiver (`hosts` lists the receivers with deliveries in flight, and what is left for each); null: no claims.
-- Returns the text of {due: [{delivery_id, epoch, task_id, seq, url, host, body, content_type, tries, traceparent}],
-- left, secrets}: `left` is the number of webhooks written and not claimed; `secrets` are the tenant's, null when it
-- has none of its own.
create or replace function write_webhooks(p_tenant text, p_tasks uuid[], p_capacity jsonb) returns text
language plpgsql as $$
declare
  first_attempt jsonb := jsonb_build_array(new_attempt());
  held_until timestamptz := clock_timestamp() + make_interval(secs => (p_capacity->>'lease')::float8);
  per_host integer := (p_capacity->>'per_host')::integer;
  hosts jsonb := p_capacity->'hosts';
  answer text;
begin
  with ended as materialized (
    select t.*, url_host(t.webhook_url) as host
    from unnest(p_tasks) as x(id) cross join lateral (
      select t.id, t.last_seq, t.webhook_url, t.traceparent,
        webhook_body(t.run_id, t.id, t.status, t.result, t.error->>'message', t.completed_at) as body
      from tasks t where t.tenant_id = p_tenant and t.id = x.id
      offset 0
    ) t
  ), fit as (
    select t.*, p_capacity is not null
      and row_number() over (partition by t.host) <= coalesce((hosts->>t.host)::integer, per_host) as fits
    from ended t
  ), ranked as (
    select f.*, f.fits and sum(f.fits::integer) over (rows unbounded preceding) <= (p_capacity->>'limit')::integer as claimed
    from fit f
  ), written as (
    insert into deliveries as d (tenant_id, delivery_id, task_id, kind, seq, url, host, traceparent, body,
      tries, epoch, claimed_until, attempts)
    select p_tenant, make_uuid7(), p.id, 'webhook', p.last_seq, p.webhook_url, p.host, p.traceparent, p.body,
      p.claimed::integer, p.claimed::integer, case when p.claimed then held_until end,
      case when p.claimed then first_attempt else '[]' end
    from ranked p
    returning d.delivery_id, d.epoch, d.task_id, d.seq, d.url, d.host, d.body, d.content_type, d.tries, d.traceparent
  )
  select json_build_object('due', coalesce(json_agg(row_to_json(m)) filter (where m.tries = 1), '[]'),
    'left', count(*) filter (where m.tries = 0),
    'secrets', (select s.secrets from webhook_secrets s where s.tenant_id = p_tenant))
  into answer from written m;
  return answer;
end $$;
