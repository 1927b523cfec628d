// The inputs from which a service is built.
import type { DatabaseAddress } from '../../adapters/postgres/connection/connections.ts';
import type { TopicSubscriber } from '../../domain/events/topic-subscribers.ts';
import type { BaseBackups } from '../../domain/ports/recovery/base-backups.ts';
import type { RestOptions } from '../../http/bindings/rest.ts';
import type { AuditOptions } from './audit.ts';
import type { ServiceConfig } from '../config/service-config.ts';

export interface BuildOptions {
  readonly config: ServiceConfig;
  readonly address: DatabaseAddress;
  /** Base backups of the embedded PostgreSQL; absent: none are taken. */
  readonly bases?: BaseBackups | undefined;
  readonly version: string;
  readonly log: (line: string, details?: unknown) => void;
  readonly now: () => number;
  /** Components that are notified when their tasks come to rest. */
  readonly subscribers?: readonly TopicSubscriber[];
  /** In tests: a smaller audit file, a failing disk. */
  readonly auditFaults?: Pick<AuditOptions, 'maxBytes' | 'openFile'>;
  /** In tests: size of the pool that serves everything but the queue's commits. */
  readonly poolSize?: number;
  /** In tests: how long a message of a PRD chat waits for its answer, in place of 60 seconds. */
  readonly prdAnswerWaitMs?: number;
  /** In tests: a folder of built pages in place of the package's own. */
  readonly pagesFolder?: string;
  /** In tests: looks at every answer's body. */
  readonly checkResponse?: RestOptions['checkResponse'];
}

/** A clock that is never set back. */
export const elapsedMs = (): number => performance.now();

/** The database role of the connections. core-5.8. */
export function databaseRole(config: Pick<ServiceConfig, 'rlsEnabled'>): 'a2a_app' | 'a2a_admin' {
  return config.rlsEnabled ? 'a2a_app' : 'a2a_admin';
}
