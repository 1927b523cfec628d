-- Stores the audit intents of one group of a commit: one row for all its calls.
--
-- p_intents: {id, chain}. p_entries: the text of a JSON array; each element begins with the task's id or null and with
-- the intent's own id (codec/audit-intents.ts), the only members that this function reads. p_parts: the results of the
-- group's submits, reports, finishes and heartbeats. A rejected call (no such codebase, a lost lease, …) changed
-- nothing, so its intent is left out. Rejections are rare, so the results are parsed only when their text contains the
-- word of one.
create or replace function store_audit_intents(p_tenant text, p_intents jsonb, p_entries text, p_parts text) returns void
language plpgsql as $$
declare
  entries text := p_entries;
  results jsonb;
  rejected text[];
begin
  if p_parts ~ 'lease_lost|artifacts_full|event_gap|differs|key_reused|no_such_|row_held' then
    results := ('{' || p_parts || '}')::jsonb;
    rejected := array(
      select key from jsonb_each(results->'submit'->'others') where value->>'verdict' <> 'replayed'
      union all
      select x->>'task_id'
      from jsonb_array_elements(coalesce(results->'report', '[]') || coalesce(results->'finish', '[]')) as x
      where x->>'verdict' in ('lease_lost', 'artifacts_full', 'event_gap', 'differs')
      union all
      select x->>'intent' from jsonb_array_elements(results->'heartbeat') as x where x->>'intent' is not null);
    select jsonb_agg(e) into entries from jsonb_array_elements(entries::jsonb) as e
    where coalesce(e->>0, '') <> all (rejected) and e->>1 <> all (rejected);
  end if;
  if entries is null then return; end if;
  insert into audit_intents (tenant_id, id, replica_id, entries)
  values (p_tenant, (p_intents->>'id')::uuid, p_intents->>'chain', entries);
end $$;
