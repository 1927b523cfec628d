// The paths of this replica's audit file and of the key that signs its checkpoints. choices-1.
import path from 'node:path';

export interface AuditLocation {
  /** Absolute path of the file. */
  readonly logPath: string;
  /** Absolute path of an Ed25519 private key in PEM. */
  readonly keyFile: string;
  /** True: a missing key is created. False: an operator named the file, and it must exist. */
  readonly createsKey: boolean;
}

/** A path, and the folder against which a relative one is resolved. */
type PathSetting = { readonly path: string; readonly base: string } | undefined;

/** @param dataDir absolute path */
export function resolveAuditLocation(dataDir: string, log?: PathSetting, key?: PathSetting): AuditLocation {
  return {
    logPath: log === undefined ? path.join(dataDir, 'audit', 'audit.jsonl') : path.resolve(log.base, log.path),
    keyFile: key === undefined ? path.join(dataDir, 'audit', 'signing-key.pem') : path.resolve(key.base, key.path),
    createsKey: key === undefined,
  };
}
