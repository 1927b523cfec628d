// Verifies a manifest's signature by a trusted key: Ed25519 over its canonical form. choices-3.
import { verify } from 'node:crypto';
import type { ToolManifest } from '../model/tool.ts';
import { exactBase64 } from '../../lib/json/exact-base64.ts';
import { signedBytes } from '../../lib/json/signed-manifest.ts';
import type { TrustedKey } from './trusted-keys.ts';

const signatureBytes = 64;

/** @returns the name of the key that signed it; undefined when no trusted key did */
export function findSigner(manifest: ToolManifest, keys: readonly TrustedKey[]): string | undefined {
  const signature = exactBase64(manifest.signature, signatureBytes);
  if (signature === undefined) return undefined;
  const bytes = signedBytes({
    tool_id: manifest.toolId,
    version: manifest.version,
    sha256_hash: manifest.sha256Hash,
    allowed_resources: manifest.allowedResources,
    max_memory_mb: manifest.maxMemoryMb,
    max_cpu_seconds: manifest.maxCpuSeconds,
    network_allowed: manifest.networkAllowed,
  });
  return keys.find(({ key }) => verify(null, bytes, key, signature))?.name;
}
