-- A UUID of version 7, for ids that must be made inside a statement (run ids). PostgreSQL has its own from 18 on;
-- 15 is our oldest.
create or replace function make_uuid7() returns uuid language sql volatile as $$
  select encode(
    set_byte(set_byte(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      6, (get_byte(uuid_send(gen_random_uuid()), 6) & 15) | 112),
      8, (get_byte(uuid_send(gen_random_uuid()), 8) & 63) | 128),
    'hex')::uuid
$$;
