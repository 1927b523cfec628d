// What comes to the hallway: a request before its body is read, and the operation that it turned out to be.
import type { Demand } from '../../domain/access/permit.ts';
import type { RateLimitDecision } from '../../domain/limits/call-window.ts';

/** What a door knows of a request before it reads its body. */
export interface InboundRequest {
  /** Every `Authorization` header that came; more than one is refused. */
  readonly authorization: readonly string[];
  /** Every `X-Tenant-Id` header that came: an admin names the tenant there that the call is to run in. */
  readonly tenants: readonly string[];
  /** IP address of who asks, in its plain form; behind trusted proxies the one they tell. */
  readonly address: string;
  readonly requestId: string;
  /** The trace that it is part of. */
  readonly traceparent?: string | undefined;
}

/** The operation that a request turned out to be. */
export interface OperationRef {
  /** Stable name, `resource.verb`; the audit's action. */
  readonly name: string;
  readonly permission: Demand;
  /** What is demanded beside, where a body names what is called. */
  readonly additionalPermission?: Demand | undefined;
  /** What it is about, for the audit: a path without its query, or a method. */
  readonly resource: string;
  /** False for what only looks. */
  readonly changes: boolean;
  /** Where calls are counted: hears what is left, before this call may be refused. */
  readonly onUsage?: ((decision: RateLimitDecision) => void) | undefined;
}
