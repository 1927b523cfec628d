-- Keeps the audit's intents of one group of a commit: one row for all its calls.
--
-- p_intents: {id, chain}; p_entries: the text of a JSON array whose elements begin with their task's id or null and
-- with their own (intents.ts), for nobody looks into it here; p_parts: what the group's submits, reports, finishes and
-- beats answered. A call that was refused (no such codebase, a lost lease, …) changed nothing: its intent is left out.
-- That is seldom, so the answers are looked through only when one of them reads like a refusal.
create or replace function store_audit_intents(p_tenant text, p_intents jsonb, p_entries text, p_parts text) returns void
language plpgsql as $$
declare
  entries text := p_entries;
  answers jsonb;
  refused text[];
begin
  if p_parts ~ 'lease_lost|artifacts_full|event_gap|differs|key_reused|no_such_|row_held' then
    answers := ('{' || p_parts || '}')::jsonb;
    refused := array(
      select key from jsonb_each(answers->'submit'->'others') where value->>'verdict' <> 'replayed'
      union all
      select x->>'task_id'
      from jsonb_array_elements(coalesce(answers->'report', '[]') || coalesce(answers->'finish', '[]')) as x
      where x->>'verdict' in ('lease_lost', 'artifacts_full', 'event_gap', 'differs')
      union all
      select x->>'intent' from jsonb_array_elements(answers->'heartbeat') as x where x->>'intent' is not null);
    select jsonb_agg(e) into entries from jsonb_array_elements(entries::jsonb) as e
    where coalesce(e->>0, '') <> all (refused) and e->>1 <> all (refused);
  end if;
  if entries is null then return; end if;
  insert into audit_intents (tenant_id, id, replica_id, entries)
  values (p_tenant, (p_intents->>'id')::uuid, p_intents->>'chain', entries);
end $$;
