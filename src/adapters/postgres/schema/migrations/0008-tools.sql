-- Signed tools: manifests and contents.

-- One row per signed version of a tool, field by field as signed: a null is a field that the signer left out. Only the
-- `revoked_*` columns ever change. core-2.9 and core-4.8, choices-3.
create table tool_manifests (
  tenant_id         text not null,
  tool_id           text collate "C" not null,
  version           text collate "C" not null,
  sha256_hash       text not null check (sha256_hash ~ '^[0-9a-f]{64}$'), -- of the content
  signature         text not null,
  allowed_resources text[],
  max_memory_mb     bigint,
  max_cpu_seconds   bigint,
  network_allowed   boolean,
  signed_by         text not null,          -- name of the trusted key
  registered_by     text not null,
  registered_at     timestamptz not null default now(),
  revoked_at        timestamptz,
  revoked_by        text,
  primary key (tenant_id, tool_id, version)
);
select make_tenant_table('tool_manifests');

-- One row per content, shared by all versions that name its hash; never shared between tenants.
create table tool_contents (
  tenant_id   text not null,
  sha256_hash text not null,
  content     bytea not null,
  stored_at   timestamptz not null default now(),
  primary key (tenant_id, sha256_hash)
);
select make_tenant_table('tool_contents');

-- Rejects every update that clears a revocation or changes the content of a signed version.
create function keep_tool_manifest_immutable() returns trigger language plpgsql as $$
begin
  if old.revoked_at is not null and new.revoked_at is null then
    raise exception 'a revoked version of a tool stays revoked' using errcode = 'restrict_violation';
  end if;
  if (new.tenant_id, new.tool_id, new.version, new.sha256_hash) is distinct from
     (old.tenant_id, old.tool_id, old.version, old.sha256_hash) then
    raise exception 'the content of a tool version never changes' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_tool_manifest_immutable before update on tool_manifests
  for each row execute function keep_tool_manifest_immutable();
