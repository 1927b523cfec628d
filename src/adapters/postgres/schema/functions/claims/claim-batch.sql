-- Runs the claims of one group of a commit, one after the other.
--
-- p_claims: array of {worker_id, limit, task_id?, subject?}. Returns the text of a JSON array with the result of
-- queue_claim for each, in their order.
create or replace function claim_batch(p_tenant text, p_claims jsonb, p_lease interval) returns text
language plpgsql as $$
declare
  c jsonb;
  answers text[];
begin
  for i in 0 .. jsonb_array_length(p_claims) - 1 loop
    c := p_claims->i;
    answers := answers || queue_claim(p_tenant, (c->>'worker_id')::uuid, c->>'subject', (c->>'limit')::integer,
      (c->>'task_id')::uuid, p_lease);
  end loop;
  return '[' || array_to_string(answers, ',') || ']';
end $$;
