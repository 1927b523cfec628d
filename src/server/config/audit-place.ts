// Where the audit of this replica lies, and the key that signs its checkpoints. choices §1.
import path from 'node:path';

export interface AuditPlace {
  /** Absolute path of the file. */
  readonly logPath: string;
  /** Absolute path of an Ed25519 private key in PEM. */
  readonly keyFile: string;
  /** True: the key is made where it is missing; an operator's key must be there. */
  readonly makesKey: boolean;
}

/** A path, and the folder that a relative one is relative to. */
type GivenPath = { readonly path: string; readonly base: string } | undefined;

/** @param dataDir absolute path */
export function auditPlaceIn(dataDir: string, log?: GivenPath, key?: GivenPath): AuditPlace {
  return {
    logPath: log === undefined ? path.join(dataDir, 'audit', 'audit.jsonl') : path.resolve(log.base, log.path),
    keyFile: key === undefined ? path.join(dataDir, 'audit', 'signing-key.pem') : path.resolve(key.base, key.path),
    makesKey: key === undefined,
  };
}
