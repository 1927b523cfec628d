// One exchange of the door: a message admitted through the hallway, and how its call ends in the audit.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findStain } from '../../../lib/json/json-hygiene.ts';
import type { Hallway } from '../../pipeline/admit.ts';
import type { AuditedCall } from '../../pipeline/audited-call.ts';
import type { BrokenRequest } from '../../bindings/broken-request.ts';
import type { LongCall } from '../../pipeline/operation.ts';
import { goneSignal, headerOf, Words } from '../../pipeline/request-facts.ts';
import { pathOf, resourceOf, visitorOf } from '../../bindings/rest.ts';
import { RpcError, rpcCodes } from '../../wire/rpc-envelope.ts';
import type { Challenges } from './challenge.ts';
import type { McpMethod } from '../methods/methods.ts';
import { subsetOf, type Subset } from '../tools/subset.ts';
import { callDemand } from '../tools/tool.ts';
import type { Outcome, Visit } from '../tools/visit.ts';
import { QuietLive, type Live } from '../tools/live.ts';

export interface DoorOptions {
  readonly hallway: Hallway;
  readonly methods: readonly McpMethod[];
  readonly challenges: Challenges;
  readonly version: string;
  readonly log: (line: string, details: BrokenRequest) => void;
}

/** A method as the hallway needs to know it. */
export type NamedMethod = Pick<McpMethod, 'method' | 'name' | 'calls'>;

export interface Exchange {
  readonly call: AuditedCall;
  readonly visit: Omit<Visit, 'live' | 'caller'>;
}

/** @throws DomainError as the hallway refuses; not_found for a toolset that there is not */
export async function admit(
  hallway: Hallway,
  request: FastifyRequest,
  reply: FastifyReply,
  row: NamedMethod,
  params: unknown,
): Promise<Exchange> {
  const { caller, knock } = visitorOf(request);
  const subset = subsetIn(request);
  const named = row.calls?.(params, subset);
  const call = await hallway.begin(caller, knock, {
    name: named?.name ?? row.name,
    permission: callDemand,
    also: named?.permission,
    changes: named?.changes ?? false,
    resource: `${resourceOf(pathOf(request))}#${row.method}`,
  });
  request.call = call;
  const { toldAddress } = new Words(request);
  const long = new LongExchange(call, reply);
  return { call, visit: { subset, idempotencyKey: headerOf(request, 'idempotency-key'), toldAddress, long } };
}

/** A class, as request-facts.ts says. */
class LongExchange implements LongCall {
  readonly #call: AuditedCall;
  readonly #reply: FastifyReply;

  constructor(call: AuditedCall, reply: FastifyReply) {
    this.#call = call;
    this.#reply = reply;
  }

  staysOpen(): void {
    this.#call.staysOpen(this.#reply.raw);
  }

  waiting<T>(work: () => Promise<T>): Promise<T> {
    return this.#call.waiting(this.#reply.raw, work);
  }
}

/** The audit hears of a message that is no call of anything: no such method, no JSON. */
export function turnAway(hallway: Hallway, request: FastifyRequest, error: unknown): void {
  const { caller, knock } = visitorOf(request);
  hallway.turnedAway(caller, knock, { name: 'mcp.unknown', resource: resourceOf(pathOf(request)) }, error);
}

/** What the path and the headers narrow. @throws DomainError */
function subsetIn(request: FastifyRequest): Subset {
  const path = pathOf(request).split('/').slice(2);
  const [kind, value] = path;
  const at = {
    toolset: kind === 'x' ? value : undefined,
    codebase: kind === 'c' ? value : undefined,
    readonly: path.at(2) === 'readonly',
  };
  return subsetOf(at, (name) => headerOf(request, name));
}

/** @throws RpcError for params with what nothing may hold: bottomless nesting, texts that no database takes */
function checkParams(params: unknown): void {
  const stain = findStain(params, maxDepth);
  if (stain !== undefined) {
    throw new RpcError(rpcCodes.params, `Invalid params: /params${stain.path} ${stain.message}.`);
  }
}

const maxDepth = 60;

/** Of a call whose answer is one message. */
export function liveOf(reply: FastifyReply): Live {
  return new QuietLive(() => goneSignal(reply));
}

/** Runs a method to its end in the audit: a change is on disk before it is answered. @throws RpcError, DomainError */
export async function settle(
  { call, visit }: Exchange,
  method: McpMethod,
  params: unknown,
  live: Live,
): Promise<Outcome> {
  try {
    checkParams(params);
    const outcome = await method.run({ ...visit, caller: call.caller, live }, params);
    if (outcome.refusal === undefined) await call.succeeded();
    else call.failed(outcome.refusal);
    return outcome;
  } catch (error) {
    call.failed(error);
    throw error;
  }
}
