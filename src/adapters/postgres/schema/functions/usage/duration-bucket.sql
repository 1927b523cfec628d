-- The bucket of a duration, each 5 % wider than the one before, from one millisecond on. Counts by bucket can be added,
-- and duration_percentile reads them with an error of 2.5 % at most. Null for no duration.
create or replace function duration_bucket(p_seconds double precision) returns integer
language sql immutable as $$
  select floor(ln(greatest(p_seconds, 0.001) / 0.001) / ln(1.05::double precision))::integer
$$;
