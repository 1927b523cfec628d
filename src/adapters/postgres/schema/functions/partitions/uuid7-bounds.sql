-- The smallest UUIDv7 of a time, and the time of a UUIDv7: the bounds of partitions by time. Milliseconds fill the first 48 bits.
create or replace function uuid7_from(p_time timestamptz) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from p_time) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

create or replace function uuid7_time(p_id uuid) returns timestamptz language sql immutable parallel safe as $$
  select to_timestamp(('x' || left(replace(p_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
$$;
