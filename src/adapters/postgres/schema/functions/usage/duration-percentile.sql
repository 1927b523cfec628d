-- The duration in seconds below which a fraction of counted durations lies. p_counts: {bucket: count}, as
-- duration_bucket numbers them. Null without any.
create or replace function duration_percentile(p_counts jsonb, p_fraction double precision) returns double precision
language sql immutable as $$
  select round((0.001 * 1.05 ^ (bucket + 0.5))::numeric, 3)::double precision
  from (
    select key::integer as bucket, sum(value::bigint) over (order by key::integer) as up_to,
      sum(value::bigint) over () as total
    from jsonb_each_text(p_counts)
  ) counted
  where up_to >= p_fraction * total order by bucket limit 1
$$;
