-- About how many bytes a value has as text. A value that is stored in few bytes is not decompressed to measure it: in
-- the worst case, a text of one repeated letter, its text is a hundred times as long.
create or replace function json_bytes(p_value jsonb) returns bigint language sql stable as $$
  select case when pg_column_size(p_value) < 2000 then pg_column_size(p_value) else octet_length(p_value::text) end
$$;
