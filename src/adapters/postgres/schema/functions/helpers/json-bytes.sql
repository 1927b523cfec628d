-- About how many bytes a value has as text. What is small where it is stored is not unpacked for it: at worst, a text of
-- nothing but one letter, it has a hundred times as many.
create or replace function json_bytes(p_value jsonb) returns bigint language sql stable as $$
  select case when pg_column_size(p_value) < 2000 then pg_column_size(p_value) else octet_length(p_value::text) end
$$;
