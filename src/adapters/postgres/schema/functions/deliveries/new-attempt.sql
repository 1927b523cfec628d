-- An attempt at a delivery, as stored from its claim until its outcome is known. If the service is killed, this is what
-- remains of the attempt.
create or replace function new_attempt() returns jsonb language sql volatile as $$
  select jsonb_build_object('status_code', null, 'error', 'the service stopped during this attempt',
    'at', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;
