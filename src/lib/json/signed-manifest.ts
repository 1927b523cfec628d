// The bytes that a tool's signature covers: RFC 8785 of every field that is present but `signature`. choices-3.
import canonicalize from 'canonicalize';

/** A manifest in the document's spelling (core-2.9); a field that is undefined is not present. */
export interface SignedFields {
  readonly tool_id: string;
  readonly version: string;
  readonly sha256_hash: string;
  readonly allowed_resources?: readonly string[] | undefined;
  readonly max_memory_mb?: number | undefined;
  readonly max_cpu_seconds?: number | undefined;
  readonly network_allowed?: boolean | undefined;
}

/** UTF-8. What else the object holds is not looked at: these are all the fields there are. */
export function signedBytes(fields: SignedFields): Buffer {
  const { tool_id, version, sha256_hash, allowed_resources, max_memory_mb, max_cpu_seconds, network_allowed } = fields;
  const named = { tool_id, version, sha256_hash, allowed_resources, max_memory_mb, max_cpu_seconds, network_allowed };
  const present = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  const text = canonicalize(present);
  if (text === undefined) throw new Error('an object has no canonical form');
  return Buffer.from(text);
}
