// The noun tool: a manifest that somebody signed, and what the register knows of it. core-2.9.

/** As it was signed: a field that the signer left out is undefined. */
export interface ToolManifest {
  readonly toolId: string;
  /** A semantic version. */
  readonly version: string;
  /** SHA-256 of the content, 64 hexadecimal digits in lower case. */
  readonly sha256Hash: string;
  /** Ed25519, base64. */
  readonly signature: string;
  /** Absolute paths and network hosts that the tool may reach. */
  readonly allowedResources?: readonly string[] | undefined;
  readonly maxMemoryMb?: number | undefined;
  readonly maxCpuSeconds?: number | undefined;
  readonly networkAllowed?: boolean | undefined;
}

export interface RegisteredTool extends ToolManifest {
  /** Name of the trusted key that signed it. */
  readonly signedBy: string;
  readonly hasContent: boolean;
  readonly registeredBy: string;
  readonly registeredAt: string;
  /** Null while it may run. A revoked version never comes back. */
  readonly revokedAt: string | null;
}

/** A file system path; all else that `allowed_resources` holds is a host. */
export function isPathResource(resource: string): boolean {
  return resource.startsWith('/');
}
