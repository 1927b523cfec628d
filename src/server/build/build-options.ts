// What a service is built with.
import type { DatabaseAddress } from '../../adapters/postgres/connection/connections.ts';
import type { RestOptions } from '../../http/bindings/rest.ts';
import type { AuditOptions } from './audit.ts';
import type { ServiceConfig } from '../config/service-config.ts';

export interface BuildOptions {
  readonly config: ServiceConfig;
  readonly address: DatabaseAddress;
  readonly version: string;
  readonly log: (line: string, details?: unknown) => void;
  readonly now: () => number;
  /** In tests: an audit file that is full sooner, on a disk that fails. */
  readonly auditFaults?: Pick<AuditOptions, 'maxBytes' | 'openFile'>;
  /** In tests: connections of the pool for everything but the queue's commits. */
  readonly poolSize?: number;
  /** In tests: looks at every answer's body. */
  readonly checkResponse?: RestOptions['checkResponse'];
}

/** A clock that is never set back. */
export const elapsedMs = (): number => performance.now();

/** The role that connections work under. core-5.8. */
export function databaseRole(config: Pick<ServiceConfig, 'rlsEnabled'>): 'a2a_app' | 'a2a_admin' {
  return config.rlsEnabled ? 'a2a_app' : 'a2a_admin';
}
