// Protocol v0.3 on JSON-RPC: the SDK's own transport handler in front of our request handler, and what it leaves to us:
// tasks/list (no method of v0.3), `final` at a question, the numbers of frames, and neutral words for what broke.
import { TaskState, type ListTasksRequest, type Task } from '@a2a-js/sdk';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { LegacyJsonRpcTransportHandler, V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import type { ListTasksParams } from '../../contracts/a2a.ts';
import type { Caller } from '../../domain/model/caller.ts';
import { replayHeaders } from '../idempotency.ts';
import type { RequestFacts, RpcAnswer, RpcFrame } from '../operation.ts';
import { asDomainError } from '../problem.ts';
import { isObject, RpcError, rpcCodes } from '../rpc-envelope.ts';
import { CallContext } from './call.ts';

/** What a call brings, whatever its method. */
export interface Asked {
  readonly params: Record<string, unknown>;
  readonly facts: RequestFacts;
}

export interface V03Transport {
  /** @param method of v0.3 @throws RpcError, DomainError */
  ask(method: string, caller: Caller, asked: Asked): Promise<RpcAnswer>;
  list(caller: Caller, params: ListTasksParams, facts: RequestFacts): Promise<RpcAnswer>;
}

export function v03Transport(handler: A2ARequestHandler): V03Transport {
  const sdk = new LegacyJsonRpcTransportHandler(handler);
  return {
    async ask(method, caller, { params, facts }) {
      const call = contextOf(caller, facts);
      // The envelope's own id is put on outside: this one only has to be valid.
      const answer = await sdk.handle({ jsonrpc: '2.0', id: 0, method, params }, call);
      if (Symbol.asyncIterator in answer) return opened(answer, call);
      if (call.failure !== undefined) throw call.failure;
      if (answer.error !== undefined) throw rpcErrorOf(answer.error);
      return { result: answer.result, headers: replayHeaders(call.replayed) };
    },
    async list(caller, params, facts) {
      const call = contextOf(caller, facts);
      try {
        const page = await handler.listTasks(listRequest(params), call);
        return { result: { ...page, tasks: page.tasks.map(taskWire) } };
      } catch (error) {
        throw call.failure ?? rpcErrorOf(LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error));
      }
    },
  };
}

function contextOf(caller: Caller, facts: RequestFacts): CallContext {
  const { signal, idempotency, lastEventId } = facts;
  return new CallContext({ caller, wire: '0.3', signal, idempotency, lastEventId });
}

/** The SDK passes on the words of whatever its translation stumbled over: those are ours to log, not to send. */
function rpcErrorOf(error: { code: number; message: string; data?: unknown }): Error {
  if (error.code === rpcCodes.internal) return asDomainError(new Error(`the protocol library: ${error.message}`));
  return new RpcError(error.code, error.message, error.data);
}

type Envelopes = Extract<Awaited<ReturnType<LegacyJsonRpcTransportHandler['handle']>>, AsyncGenerator>;

/** The first frame is taken here, so that a refusal is an ordinary answer and the headers know of a replay. */
async function opened(envelopes: Envelopes, call: CallContext): Promise<RpcAnswer> {
  const frames = framesOf(envelopes, call);
  const first = await frames.next();
  return { stream: continued(first, frames), headers: replayHeaders(call.replayed) };
}

async function* continued(
  first: IteratorResult<RpcFrame, void>,
  rest: AsyncGenerator<RpcFrame, void, undefined>,
): AsyncGenerator<RpcFrame, void, undefined> {
  try {
    if (first.done !== true) yield first.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}

async function* framesOf(envelopes: Envelopes, call: CallContext): AsyncGenerator<RpcFrame, void, undefined> {
  try {
    for await (const envelope of envelopes) {
      if ('result' in envelope) yield { id: String(call.seq), result: withFinal(envelope.result, call.last) };
    }
  } catch (error) {
    throw call.failure ?? rpcErrorOf(LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error));
  }
}

/** The SDK says `final` at the end of a task alone; a v0.3 stream ends at a question too. choices §6. */
function withFinal(result: unknown, last: boolean): unknown {
  return isObject(result) && result['kind'] === 'status-update' ? { ...result, final: last } : result;
}

const stateByName: Record<NonNullable<ListTasksParams['status']>, TaskState> = {
  submitted: TaskState.TASK_STATE_SUBMITTED,
  working: TaskState.TASK_STATE_WORKING,
  'input-required': TaskState.TASK_STATE_INPUT_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  canceled: TaskState.TASK_STATE_CANCELED,
  failed: TaskState.TASK_STATE_FAILED,
  rejected: TaskState.TASK_STATE_REJECTED,
  'auth-required': TaskState.TASK_STATE_AUTH_REQUIRED,
  unknown: TaskState.UNRECOGNIZED,
};

function listRequest(params: ListTasksParams): ListTasksRequest {
  return {
    tenant: '',
    contextId: params.contextId ?? '',
    status: params.status === undefined ? TaskState.TASK_STATE_UNSPECIFIED : stateByName[params.status],
    pageSize: params.pageSize,
    pageToken: params.pageToken ?? '',
    historyLength: params.historyLength,
    statusTimestampAfter: params.statusTimestampAfter,
    includeArtifacts: params.includeArtifacts,
  };
}

const serializer = new V03PushNotificationSerializer();

/** A task in v0.3's JSON. The SDK exports its translator in this wrapping alone; lists are no hot path. */
export function taskWire(value: Task): unknown {
  return JSON.parse(serializer.serialize({ payload: { $case: 'task', value } }).body);
}
