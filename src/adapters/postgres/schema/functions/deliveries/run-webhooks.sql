-- Writes the webhooks of autonomous runs: one for each end of a run, and one for each question. runs-6.2.
--
-- A delivery of a run has the run's id as its task_id, so that it is sent, listed and retried like a task's. The triggers
-- wait for the end of the transaction, when the question and the status of one decision are both written. A run without a
-- webhook pays for a condition only. The id of a question is kept in config_id: a question that is asked together with
-- the change of status is announced once.
create or replace function write_run_webhook(p_tenant text, p_run uuid, p_event text, p_question uuid) returns void
language plpgsql as $$
begin
  insert into deliveries (tenant_id, delivery_id, task_id, kind, config_id, seq, url, host, body)
  select r.tenant_id, make_uuid7(), r.id, 'webhook', coalesce(p_question::text, ''), r.last_seq, r.webhook_url,
    url_host(r.webhook_url), jsonb_build_object('event', p_event, 'run_id', r.id, 'status', r.status, 'error', r.error,
      'timestamp', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      || coalesce((select jsonb_build_object('question', jsonb_build_object('question_id', q.id, 'kind', q.kind, 'expires', null,
        'story_id', q.story_id, 'text', q.text, 'options', q.options, 'data', q.data,
        'asked_at', to_char(q.asked_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
        from ralph_questions q where q.tenant_id = p_tenant and q.run_id = p_run and q.id = p_question), '{}')
  from ralph_runs r
  where r.tenant_id = p_tenant and r.id = p_run and r.webhook_url is not null and not exists (
    select from deliveries d where d.tenant_id = p_tenant and d.task_id = p_run and p_question is not null
      and d.config_id = p_question::text and d.created_at = now());
end $$;

create or replace function run_status_webhook() returns trigger language plpgsql as $$
begin
  if new.status = 'needs_input' then
    perform write_run_webhook(new.tenant_id, new.id, 'run_needs_input', (
      select q.id from ralph_questions q
      where q.tenant_id = new.tenant_id and q.run_id = new.id and q.answered_at is null order by q.id desc limit 1));
  else
    perform write_run_webhook(new.tenant_id, new.id, 'run_' || new.status, null);
  end if;
  return null;
end $$;
drop trigger if exists ralph_runs_webhook on ralph_runs;
create constraint trigger ralph_runs_webhook after update of status on ralph_runs
  deferrable initially deferred for each row
  when (new.webhook_url is not null and old.status is distinct from new.status
    and new.status in ('needs_input', 'completed', 'failed', 'cancelled'))
  execute function run_status_webhook();

-- Also notifies about a question that is asked while the run waits for another answer.
create or replace function run_question_webhook() returns trigger language plpgsql as $$
begin
  perform write_run_webhook(new.tenant_id, new.run_id, 'run_needs_input', new.id)
  from ralph_runs r where r.tenant_id = new.tenant_id and r.id = new.run_id and r.status = 'needs_input';
  return null;
end $$;
drop trigger if exists ralph_questions_webhook on ralph_questions;
create constraint trigger ralph_questions_webhook after insert on ralph_questions
  deferrable initially deferred for each row execute function run_question_webhook();
