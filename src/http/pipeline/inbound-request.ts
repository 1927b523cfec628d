// The request head, and the operation it resolves to.
import type { Demand } from '../../domain/access/permit.ts';
import type { TokenUse } from '../../domain/access/identity/configured-tokens.ts';
import type { RateLimitDecision } from '../../domain/limits/call-window.ts';
import type { Built, NamedCall, OperationSpec } from './operation.ts';

/** A request before its body is read. */
export interface InboundRequest {
  /** Every `Authorization` header; more than one is rejected. */
  readonly authorization: readonly string[];
  /** The use that the token is presented for; undefined: a call. */
  readonly tokenUse?: TokenUse | undefined;
  /** Every `X-Tenant-Id` header: an admin names the tenant in which the call is to run. */
  readonly tenants: readonly string[];
  /** The client's IP address in its plain form, as forwarded by trusted proxies. */
  readonly address: string;
  readonly requestId: string;
  /** The trace that the request belongs to. */
  readonly traceparent?: string | undefined;
}

/** The operation that a request resolves to. */
export interface OperationRef extends NamedCall {
  /** Required besides `permission`: by the call that the body names, and by what creates tasks later. */
  readonly additionalPermissions?: readonly Demand[] | undefined;
  /** The audit's resource: a path without its query, or a method. */
  readonly resource: string;
  /** Set where calls are rate-limited. Receives the decision before the call is rejected for it. */
  readonly onUsage?: ((decision: RateLimitDecision) => void) | undefined;
}

/** @param named the call that the body or the params name, if any: it is audited under that name */
export function operationRefOf(
  { name, permission, changes, alsoRequires, personOnly }: Built<OperationSpec>,
  resource: string,
  named?: NamedCall,
  onUsage?: OperationRef['onUsage'],
): OperationRef {
  return {
    name: named?.name ?? name,
    permission,
    additionalPermissions: named === undefined && alsoRequires === undefined ? undefined : besides(alsoRequires, named),
    personOnly: personOnly === true || named?.personOnly === true,
    changes: named?.changes ?? changes,
    resource,
    onUsage,
  };
}

function besides(alsoRequires: Demand | undefined, named: NamedCall | undefined): readonly Demand[] {
  return [alsoRequires, named?.permission, named?.alsoRequires].filter((demand) => demand !== undefined);
}
