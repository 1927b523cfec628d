-- Host and port of an address, in lower case: which receiver it is, as far as its spelling says.
create or replace function url_host(p_url text) returns text language sql immutable as $$
  select coalesce(lower(substring(p_url from '^[^:]+://([^/?#]*)')), '')
$$;
