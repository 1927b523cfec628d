-- A UUID of version 7, for ids that must be made inside a statement. PostgreSQL has its own from 18 on; 15 is our oldest.
-- Random bytes are asked of the system for each id, which is most of the cost: once, then, and the rest is text.
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
