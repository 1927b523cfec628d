-- The bytes of a webhook (core-2.10). There are no blanks between members. The body is one expression, so that the
-- planner inlines it into the calling statement.
create or replace function webhook_body(
  p_run uuid, p_task uuid, p_status text, p_result text, p_error text, p_completed timestamptz
) returns text language sql stable as $$
  select '{"event":"task_completed","run_id":"' || p_run || '","task_id":"' || p_task || '","status":"' || p_status
    || '","result":' || coalesce(to_json(p_result)::text, 'null')
    || ',"error":' || coalesce(to_json(p_error)::text, 'null')
    || ',"timestamp":"' || to_char(p_completed at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}'
$$;
