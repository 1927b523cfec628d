// One JSON-RPC exchange: begins the audited call of a message, runs its method, and records the outcome in the audit.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findJsonViolation } from '../../../lib/json/json-violation.ts';
import type { AuditedCall } from '../../pipeline/audited-call.ts';
import { operationRefOf } from '../../pipeline/inbound-request.ts';
import type { RequestFailure } from '../../bindings/request-failure.ts';
import type { LongCall } from '../../pipeline/operation.ts';
import { disconnectSignal, headerOf, FastifyRequestView } from '../../pipeline/request-context.ts';
import { admissionOf, pathOf, resourceOf } from '../../pipeline/request.ts';
import { RpcError, rpcCodes } from '../../wire/rpc-envelope.ts';
import type { Challenges } from './mcp-errors.ts';
import type { McpMethod } from '../methods/methods.ts';
import { parseSubset, type ToolSubset } from '../tools/tool-subset.ts';
import type { McpOutcome, ToolCallContext } from '../tools/tool-call-context.ts';
import { SilentProgressReporter, type ProgressReporter } from '../tools/progress-reporter.ts';

export interface TransportOptions {
  readonly methods: readonly McpMethod[];
  readonly challenges: Challenges;
  readonly version: string;
  readonly log: (line: string, details: RequestFailure) => void;
}

/** The part of a method row that the request pipeline needs. */
export type AuditedMethod = Pick<McpMethod, 'method' | 'name' | 'permission' | 'changes' | 'resolveCall'>;

export interface McpExchange {
  readonly call: AuditedCall;
  readonly context: Omit<ToolCallContext, 'reporter' | 'caller'>;
}

/** @throws DomainError when the pipeline rejects the call; not_found for an unknown toolset */
export async function beginExchange(
  request: FastifyRequest,
  reply: FastifyReply,
  row: AuditedMethod,
  params: unknown,
): Promise<McpExchange> {
  const subset = requestSubset(request);
  const namedCall = row.resolveCall?.(params, subset);
  const resource = `${resourceOf(pathOf(request))}#${row.method}`;
  const call = await admissionOf(request).begin(operationRefOf(row, resource, namedCall));
  request.call = call;
  const { forwardedOrigin } = new FastifyRequestView(request);
  const longCall = new ExchangeLongCall(call, reply);
  return { call, context: { subset, idempotencyKey: headerOf(request, 'idempotency-key'), forwardedOrigin, longCall } };
}

/** A class, for the reason given in request-context.ts. */
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

/** Records a message that names no known method, or is not valid JSON-RPC, in the audit. */
export function rejectMessage(request: FastifyRequest, error: unknown): void {
  admissionOf(request).reject({ name: 'mcp.unknown', resource: resourceOf(pathOf(request)) }, error);
}

/** The subset of tools that the path and the headers select. @throws DomainError not_found for an unknown toolset */
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

/** @throws RpcError for params that are nested too deeply, or have text that the database cannot store */
function checkParams(params: unknown): void {
  const violation = findJsonViolation(params, maxDepth);
  if (violation !== undefined) {
    throw new RpcError(rpcCodes.params, `Invalid params: /params${violation.path} ${violation.message}.`);
  }
}

const maxDepth = 60;

/** The reporter of a call whose answer is one message. */
export function silentReporterFor(reply: FastifyReply): ProgressReporter {
  return new SilentProgressReporter(() => disconnectSignal(reply));
}

/**
 * Runs a method and records its outcome: the audit entry of a change is on disk before the answer.
 * @throws RpcError, DomainError
 */
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
