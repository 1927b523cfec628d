// The request pipeline. Every request of every endpoint passes through it in this order:
// authenticate → resolve the operation → override the tenant → limit → authorize → parse → run → audit.
// An endpoint resolves the operation (by route, by RPC method, by tool); authentication, limits and audit happen here.
import type { Identities } from '../../domain/access/identity/configured-tokens.ts';
import type { Caller } from '../../domain/model/access/caller.ts';
import type { UnreadAnswers } from '../../domain/limits/unread-answers.ts';
import { DomainError, unauthenticated } from '../../domain/model/errors.ts';
import { Admission, type AdmissionDeps } from './admission.ts';
import { FailedCredentials } from './failed-credentials.ts';
import type { InboundRequest } from './inbound-request.ts';

export interface RequestPipeline {
  /** Counts large answers of every endpoint that clients have not read yet. */
  readonly unread: UnreadAnswers;
  /**
   * Identifies the caller. The endpoint must settle the admission before it answers.
   * @param carrier receives the admission, for the check that it has been settled
   * @throws DomainError unauthenticated, limited
   */
  authenticate(request: InboundRequest, carrier: AdmissionCarrier): Promise<Admission>;
}

/** The request of an endpoint. */
export interface AdmissionCarrier {
  admission: Admission | undefined;
}

export interface RequestPipelineDeps extends AdmissionDeps {
  readonly identities: Identities;
}

export function createRequestPipeline(deps: RequestPipelineDeps): RequestPipeline {
  const failures = new FailedCredentials(deps.now);
  return {
    unread: deps.unread,
    async authenticate(request, carrier) {
      try {
        const caller = await identify(deps.identities, failures, request);
        return (carrier.admission = new Admission(deps, caller, request));
      } catch (error) {
        deps.trail.recordRefusal(request.address, error instanceof DomainError ? error.code : 'internal_error');
        throw error;
      }
    },
  };
}

async function identify(identities: Identities, failures: FailedCredentials, request: InboundRequest): Promise<Caller> {
  const token = parseBearerToken(request.authorization);
  if (token === undefined) throw unauthenticated();
  const use = request.tokenUse ?? 'call';
  const cachedCaller = use === 'page' ? undefined : identities.findConfigured(token);
  if (cachedCaller !== undefined) return cachedCaller;
  await failures.admit(request.address, token);
  try {
    const caller = await identities.lookUp(token, use);
    failures.succeeded(token);
    return caller;
  } catch (error) {
    // A valid token without access, and a token that could not be checked, do not count as wrong.
    if (error instanceof DomainError && error.kind === 'unauthenticated') await failures.failed(request.address);
    throw error;
  }
}

/** The bearer token; undefined without exactly one well-formed header. */
function parseBearerToken(headers: readonly string[]): string | undefined {
  const [header, second] = headers;
  if (header === undefined || second !== undefined) return undefined;
  return /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(header)?.[1];
}
