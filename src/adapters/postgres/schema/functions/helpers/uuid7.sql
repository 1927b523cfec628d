-- A version 7 UUID, for ids that must be made inside a statement. PostgreSQL has a function for it from version 18 on;
-- the oldest version that we support is 15. Reading random bytes from the system is most of the cost, so the fallback
-- reads them once and builds the rest as text.
do $version$ begin
  if current_setting('server_version_num')::integer >= 180000 then
    create or replace function make_uuid7() returns uuid language sql volatile as $$ select uuidv7() $$;
  else
    create or replace function make_uuid7() returns uuid language sql volatile as $$
      select (lpad(to_hex((date_part('epoch', clock_timestamp()) * 1000)::bigint), 12, '0')
        || '7' || substr(gen_random_uuid()::text, 16))::uuid
    $$;
  end if;
end $version$;
