// Dependencies of the tool verbs.
import type { AcceptedLimits } from '../model/tool-limits.ts';
import type { AuditTrail } from '../ports/audit.ts';
import type { Sandbox } from '../ports/sandbox.ts';
import type { Store } from '../ports/store/store.ts';
import type { MakeId } from '../../lib/uuid7.ts';
import type { TrustedKey } from './trusted-keys.ts';

export interface ToolDeps {
  readonly store: Store;
  readonly sandbox: Sandbox;
  readonly trail: AuditTrail;
  readonly trustedKeys: readonly TrustedKey[];
  readonly accepted: AcceptedLimits;
  readonly makeId: MakeId;
  readonly now: () => number;
}
