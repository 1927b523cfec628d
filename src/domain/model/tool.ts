// The noun tool: a signed manifest, and its entry in the registry. core-2.9.

/** A manifest as it was signed: a field that the signer left out is undefined. */
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
  /** Null: not revoked. A revoked version cannot be restored. */
  readonly revokedAt: string | null;
}

/** Whether a resource of `allowed_resources` is a file system path; every other is a host. */
export function isPathResource(resource: string): boolean {
  return resource.startsWith('/');
}
