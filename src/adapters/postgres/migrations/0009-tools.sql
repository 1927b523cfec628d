-- Signed tools: manifests by version, contents by their hash. document 1 §2.9 and §4.8, choices §3.

-- As it was signed, field by field: a null is a field that the signer left out. Only `revoked_*` ever changes.
create table tool_manifests (
  tenant_id         text not null,
  tool_id           text collate "C" not null,
  version           text collate "C" not null,
  sha256_hash       text not null check (sha256_hash ~ '^[0-9a-f]{64}$'),
  signature         text not null,
  allowed_resources text[],
  max_memory_mb     bigint,
  max_cpu_seconds   bigint,
  network_allowed   boolean,
  signed_by         text not null,            -- name of the trusted key
  registered_by     text not null,
  registered_at     timestamptz not null default now(),
  revoked_at        timestamptz,
  revoked_by        text,
  primary key (tenant_id, tool_id, version)
);

-- Stored once for all versions that name it; never shared between tenants.
create table tool_contents (
  tenant_id   text not null,
  sha256_hash text not null,
  content     bytea not null,
  stored_at   timestamptz not null default now(),
  primary key (tenant_id, sha256_hash)
);

-- A revoked version never comes back, and what was signed stays as it was signed, whatever a statement says.
create function tool_manifest_stays() returns trigger language plpgsql as $$
begin
  if old.revoked_at is not null and new.revoked_at is null then
    raise exception 'a revoked version of a tool never comes back' using errcode = 'restrict_violation';
  end if;
  if (new.tenant_id, new.tool_id, new.version, new.sha256_hash) is distinct from
     (old.tenant_id, old.tool_id, old.version, old.sha256_hash) then
    raise exception 'a version of a tool names one content for ever' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger tool_manifest_stays before update on tool_manifests
  for each row execute function tool_manifest_stays();

do $$
declare t text;
begin
  foreach t in array array['tool_manifests', 'tool_contents'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant_isolation on %I to a2a_app
      using (tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))
      with check (tenant_id = (select nullif(current_setting(''app.current_tenant_id'', true), '''')))', t);
    execute format('create policy admin_crossing on %I to a2a_admin using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to a2a_app, a2a_admin', t);
  end loop;
end $$;
