// One exchange of the door: a message admitted through the hallway, and how its call ends in the audit.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findJsonViolation } from '../../../lib/json/json-violation.ts';
import type { AuditedCall } from '../../pipeline/audited-call.ts';
import type { RequestFailure } from '../../bindings/request-failure.ts';
import type { LongCall } from '../../pipeline/operation.ts';
import { disconnectSignal, headerOf, FastifyRequestView } from '../../pipeline/request-context.ts';
import { admissionOf, pathOf, resourceOf } from '../../pipeline/request.ts';
import { RpcError, rpcCodes } from '../../wire/rpc-envelope.ts';
import type { Challenges } from './challenge.ts';
import type { McpMethod } from '../methods/methods.ts';
import { parseSubset, type ToolSubset } from '../tools/tool-subset.ts';
import { callPermission } from '../tools/tool.ts';
import type { McpOutcome, ToolCallContext } from '../tools/tool-call-context.ts';
import { SilentProgressReporter, type ProgressReporter } from '../tools/progress-reporter.ts';

export interface TransportOptions {
  readonly methods: readonly McpMethod[];
  readonly challenges: Challenges;
  readonly version: string;
  readonly log: (line: string, details: RequestFailure) => void;
}

/** A method as the hallway needs to know it. */
export type AuditedMethod = Pick<McpMethod, 'method' | 'name' | 'resolveCall'>;

export interface McpExchange {
  readonly call: AuditedCall;
  readonly context: Omit<ToolCallContext, 'reporter' | 'caller'>;
}

/** @throws DomainError as the hallway refuses; not_found for a toolset that there is not */
export async function beginExchange(
  request: FastifyRequest,
  reply: FastifyReply,
  row: AuditedMethod,
  params: unknown,
): Promise<McpExchange> {
  const subset = requestSubset(request);
  const namedCall = row.resolveCall?.(params, subset);
  const call = await admissionOf(request).begin({
    name: namedCall?.name ?? row.name,
    permission: callPermission,
    additionalPermission: namedCall?.permission,
    changes: namedCall?.changes ?? false,
    resource: `${resourceOf(pathOf(request))}#${row.method}`,
  });
  request.call = call;
  const { forwardedOrigin } = new FastifyRequestView(request);
  const longCall = new ExchangeLongCall(call, reply);
  return { call, context: { subset, idempotencyKey: headerOf(request, 'idempotency-key'), forwardedOrigin, longCall } };
}

/** A class, as request-facts.ts says. */
class ExchangeLongCall implements LongCall {
  readonly #call: AuditedCall;
  readonly #reply: FastifyReply;

  constructor(call: AuditedCall, reply: FastifyReply) {
    this.#call = call;
    this.#reply = reply;
  }

  countAsStream(): void {
    this.#call.countAsStream(this.#reply.raw);
  }

  awaitExternal<T>(work: () => Promise<T>): Promise<T> {
    return this.#call.awaitExternal(this.#reply.raw, work);
  }
}

/** The audit hears of a message that is no call of anything: no such method, no JSON. */
export function rejectMessage(request: FastifyRequest, error: unknown): void {
  admissionOf(request).reject({ name: 'mcp.unknown', resource: resourceOf(pathOf(request)) }, error);
}

/** What the path and the headers narrow. @throws DomainError */
function requestSubset(request: FastifyRequest): ToolSubset {
  const path = pathOf(request).split('/').slice(2);
  const [kind, value] = path;
  const at = {
    toolset: kind === 'x' ? value : undefined,
    codebase: kind === 'c' ? value : undefined,
    readonly: path.at(2) === 'readonly',
  };
  return parseSubset(at, (name) => headerOf(request, name));
}

/** @throws RpcError for params with what nothing may hold: bottomless nesting, texts that no database takes */
function checkParams(params: unknown): void {
  const violation = findJsonViolation(params, maxDepth);
  if (violation !== undefined) {
    throw new RpcError(rpcCodes.params, `Invalid params: /params${violation.path} ${violation.message}.`);
  }
}

const maxDepth = 60;

/** Of a call whose answer is one message. */
export function silentReporterFor(reply: FastifyReply): ProgressReporter {
  return new SilentProgressReporter(() => disconnectSignal(reply));
}

/** Runs a method to its end in the audit: a change is on disk before it is answered. @throws RpcError, DomainError */
export async function runExchange(
  { call, context }: McpExchange,
  method: McpMethod,
  params: unknown,
  reporter: ProgressReporter,
): Promise<McpOutcome> {
  try {
    checkParams(params);
    const outcome = await method.run({ ...context, caller: call.caller, reporter }, params);
    if (outcome.refusal === undefined) await call.succeeded();
    else call.failed(outcome.refusal);
    return outcome;
  } catch (error) {
    call.failed(error);
    throw error;
  }
}
