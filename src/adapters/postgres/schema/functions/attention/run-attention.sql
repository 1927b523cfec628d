-- Notifies followers of new runs and of changes of their status. A failed run waits for a person until it is retried or deleted.
create or replace function run_attention() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform close_attention(old.tenant_id, old.id::text);
    return null;
  end if;
  perform add_monitor_event(new.tenant_id, 'run',
    jsonb_build_object('run_id', new.id, 'project', new.project, 'status', new.status), new.created_by);
  if new.status = 'failed' then
    perform open_attention(new.tenant_id, 'run_failed', new.id::text, new.id, new.created_by);
  elsif tg_op = 'INSERT' and new.retry_of is not null then
    perform close_attention(new.tenant_id, new.retry_of::text);
  end if;
  return null;
end $$;
create or replace trigger ralph_runs_created after insert on ralph_runs for each row execute function run_attention();
create or replace trigger ralph_runs_attention after update of status on ralph_runs for each row
  when (old.status is distinct from new.status) execute function run_attention();
create or replace trigger ralph_runs_attention_end after delete on ralph_runs for each row
  when (old.status = 'failed') execute function run_attention();

-- A question of a run waits for a person until it has an answer, or until its run is over or deleted.
create or replace function run_question_attention() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' and new.answered_at is null then
    perform open_attention(r.tenant_id, 'run_question', new.id::text, r.id, r.created_by)
    from ralph_runs r where r.tenant_id = new.tenant_id and r.id = new.run_id;
  else
    perform close_attention(old.tenant_id, old.id::text);
  end if;
  return null;
end $$;
create or replace trigger ralph_questions_created after insert on ralph_questions for each row
  when (new.answered_at is null) execute function run_question_attention();
create or replace trigger ralph_questions_attention after update of answered_at on ralph_questions for each row
  when (old.answered_at is null and new.answered_at is not null) execute function run_question_attention();
create or replace trigger ralph_questions_attention_end after delete on ralph_questions for each row
  when (old.answered_at is null) execute function run_question_attention();
