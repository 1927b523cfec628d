// Wire shapes of signed tools: manifests, their register, runs. core-2.9 and core-4.8, choices-3.
import { z } from 'zod';
import { pageQuery, timestamp } from './common.ts';

const toolId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);
/** A semantic version, as semver.org has it. */
const toolVersion = z
  .string()
  .max(100)
  .regex(
    /^(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)(?:-(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/,
  );
/** An absolute path without `.`, `..` or empty parts. */
const pathResource = z
  .string()
  .max(1024)
  .regex(/^(?:\/(?!\.{1,2}(?:\/|$))[^/\p{Cc}]+)+$/u);
/** `name`, `*.name` or `*`, an IPv6 address in brackets; each with or without `:port`. */
const hostResource = z
  .string()
  .max(260)
  .regex(/^(?:\*|(?:\*\.)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\])(?::[1-9][0-9]{0,4})?$/);
const unsigned = z.int().min(0).max(2_147_483_647);

/** The signed fields, in the signed form. There are no defaults: an omitted field is not signed. */
const signedFields = {
  tool_id: toolId,
  version: toolVersion,
  sha256_hash: z.string().regex(/^[0-9a-f]{64}$/),
  allowed_resources: z
    .array(z.union([pathResource, hostResource]))
    .max(50)
    .optional(),
  max_memory_mb: unsigned.optional(),
  max_cpu_seconds: unsigned.optional(),
  network_allowed: z.boolean().optional(),
};

/** Body of `POST /v1/tools/manifests`. Unknown fields are rejected: nothing would enforce them. */
export const newManifest = z.strictObject({ ...signedFields, signature: z.string().max(100) });
export type NewManifest = z.output<typeof newManifest>;

/** The manifest as signed, and the register's own fields. */
export const manifest = z.object({
  ...signedFields,
  signature: z.string(),
  signed_by: z.string(),
  status: z.enum(['active', 'revoked']),
  has_content: z.boolean(),
  registered_by: z.string(),
  registered_at: timestamp,
  revoked_at: timestamp.nullable(),
});
export type ManifestWire = z.output<typeof manifest>;

export const manifestAnswer = z.object({ manifest });
/** One tool: the requested version, or the one that a run uses; all versions, the highest first. */
export const toolAnswer = z.object({ manifest, versions: z.array(manifest) });
export const manifestPage = z.object({ manifests: z.array(manifest), next_cursor: z.string().nullable() });
export const manifestsAnswer = z.object({ manifests: z.array(manifest) });
export const manifestQuery = z.strictObject(pageQuery);
export const versionQuery = z.strictObject({ version: toolVersion.optional() });
export const toolParams = z.object({ tool_id: toolId });

/** Body of `POST /v1/tools/{tool_id}/run`. */
export const toolRunRequest = z.strictObject({
  version: toolVersion.optional(),
  arguments: z.record(z.string(), z.unknown()).default({}),
  policy: z.enum(['default', 'restricted', 'custom', 'Default', 'Restricted', 'Custom']).default('default'),
});
export type ToolRunRequestWire = z.output<typeof toolRunRequest>;
export const toolRunAnswer = z.object({
  /** As a shell reports it; null if the sandbox ended the run. */
  exit_code: z.int().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  usage: z.object({ wall_ms: z.int(), cpu_ms: z.int(), max_memory_bytes: z.int() }),
  killed_by: z.enum(['memory', 'cpu', 'time', 'processes', 'output', 'cancelled']).nullable(),
});
