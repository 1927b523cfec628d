// Rows of tools. Row-level security limits them to the tenant; the statements have no condition for it.
import type { RegisteredTool } from '../../../../domain/model/tool.ts';
import type { ToolRows } from '../../../../domain/ports/store/tools.ts';
import type { Scope } from './scope.ts';
import { isoTime } from '../../codec/task-json.ts';

interface ToolRow {
  readonly tool_id: string;
  readonly version: string;
  readonly sha256_hash: string;
  readonly signature: string;
  readonly allowed_resources: string[] | null;
  readonly max_memory_mb: string | null;
  readonly max_cpu_seconds: string | null;
  readonly network_allowed: boolean | null;
  readonly signed_by: string;
  readonly registered_by: string;
  readonly registered_at: Date;
  readonly revoked_at: Date | null;
  readonly has_content: boolean;
}

const columns = `m.tool_id, m.version, m.sha256_hash, m.signature, m.allowed_resources, m.max_memory_mb,
  m.max_cpu_seconds, m.network_allowed, m.signed_by, m.registered_by, m.registered_at, m.revoked_at,
  exists (select from tool_contents c where c.tenant_id = m.tenant_id and c.sha256_hash = m.sha256_hash) as has_content`;

export function toolRows(scope: Scope): ToolRows {
  return {
    async add(manifest, { signedBy, registeredBy }) {
      const added = await scope.query(
        'tool_add',
        `insert into tool_manifests (tenant_id, tool_id, version, sha256_hash, signature, allowed_resources,
           max_memory_mb, max_cpu_seconds, network_allowed, signed_by, registered_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         on conflict (tenant_id, tool_id, version) do nothing returning version`,
        [
          scope.tenantId,
          manifest.toolId,
          manifest.version,
          manifest.sha256Hash,
          manifest.signature,
          manifest.allowedResources ?? null,
          manifest.maxMemoryMb ?? null,
          manifest.maxCpuSeconds ?? null,
          manifest.networkAllowed ?? null,
          signedBy,
          registeredBy,
        ],
      );
      return added.length > 0;
    },
    async versions(toolId) {
      const rows = await scope.query<ToolRow>(
        'tool_versions',
        `select ${columns} from tool_manifests m where m.tool_id = $1`,
        [toolId],
      );
      return rows.map(toolOf);
    },
    async list(page) {
      const rows = await scope.query<ToolRow>(
        'tool_list',
        `select ${columns} from tool_manifests m
         where $1::text is null or (m.tool_id, m.version) > (split_part($1, ' ', 1), split_part($1, ' ', 2))
         order by m.tool_id, m.version limit $2`,
        [page.before ?? null, page.limit],
      );
      return rows.map(toolOf);
    },
    async count() {
      const [row] = await scope.query<{ n: string }>('tool_count', 'select count(*) as n from tool_manifests', []);
      return Number(row?.n ?? 0);
    },
    async revoke(toolId, version, by) {
      await scope.query(
        'tool_revoke',
        `update tool_manifests set revoked_at = now(), revoked_by = $3
         where tool_id = $1 and ($2::text is null or version = $2) and revoked_at is null`,
        [toolId, version ?? null, by],
      );
      await scope.query(
        'tool_drop_contents',
        `delete from tool_contents c where not exists (select from tool_manifests m
           where m.tenant_id = c.tenant_id and m.sha256_hash = c.sha256_hash and m.revoked_at is null)`,
        [],
      );
    },
    async putContent(sha256Hash, content) {
      // A row with this hash and another content was not written by this program.
      await scope.query(
        'tool_put_content',
        `insert into tool_contents (tenant_id, sha256_hash, content) values ($1, $2, $3)
         on conflict (tenant_id, sha256_hash) do update set content = excluded.content, stored_at = now()`,
        [scope.tenantId, sha256Hash, content],
      );
    },
    async content(sha256Hash) {
      const [row] = await scope.query<{ content: Buffer }>(
        'tool_content',
        'select content from tool_contents where sha256_hash = $1',
        [sha256Hash],
      );
      return row?.content;
    },
  };
}

function toolOf(row: ToolRow): RegisteredTool {
  return {
    toolId: row.tool_id,
    version: row.version,
    sha256Hash: row.sha256_hash,
    signature: row.signature,
    allowedResources: row.allowed_resources ?? undefined,
    maxMemoryMb: row.max_memory_mb === null ? undefined : Number(row.max_memory_mb),
    maxCpuSeconds: row.max_cpu_seconds === null ? undefined : Number(row.max_cpu_seconds),
    networkAllowed: row.network_allowed ?? undefined,
    signedBy: row.signed_by,
    hasContent: row.has_content,
    registeredBy: row.registered_by,
    registeredAt: isoTime(row.registered_at),
    revokedAt: row.revoked_at === null ? null : isoTime(row.revoked_at),
  };
}
