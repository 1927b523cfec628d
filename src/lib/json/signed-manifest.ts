// The bytes that a tool's signature covers: RFC 8785 of every present field except `signature`. choices-3.
import canonicalize from 'canonicalize';

/** A manifest as it is spelled on the wire (core-2.9). A field that is undefined counts as absent. */
export interface SignedFields {
  readonly tool_id: string;
  readonly version: string;
  readonly sha256_hash: string;
  readonly allowed_resources?: readonly string[] | undefined;
  readonly max_memory_mb?: number | undefined;
  readonly max_cpu_seconds?: number | undefined;
  readonly network_allowed?: boolean | undefined;
}

/** UTF-8. Ignores other members of the object: these are all the fields of a manifest. */
export function signedBytes(fields: SignedFields): Buffer {
  const { tool_id, version, sha256_hash, allowed_resources, max_memory_mb, max_cpu_seconds, network_allowed } = fields;
  const named = { tool_id, version, sha256_hash, allowed_resources, max_memory_mb, max_cpu_seconds, network_allowed };
  const present = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  const text = canonicalize(present);
  if (text === undefined) throw new Error('an object has no canonical form');
  return Buffer.from(text);
}
