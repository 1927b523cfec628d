// The adapter of one wire format: the params it accepts, how it normalises older or looser forms, and how it answers an
// action. There are four: v0.3 on JSON-RPC, v0.3 on REST in its own JSON and in the JSON of its proto file, and v1.0.
import type { z } from 'zod';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { RequestContext, RpcAnswer } from '../../pipeline/operation.ts';
import type { ActionName } from './actions.ts';
import type { WireVersion } from './versions.ts';

/** A received call of any action. */
export interface ReceivedCall {
  /** Normalised and validated. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly context: RequestContext;
}

export interface VersionAdapter {
  readonly version: WireVersion;
  readonly params: Readonly<Record<ActionName, z.ZodType<Record<string, unknown>>>>;
  /**
   * Normalises params to the published form. Unknown forms stay as they are, and the schema rejects them.
   * @param path path of the endpoint: some endpoints accept forms that others do not
   * @throws DomainError invalid for more parts than a message may have
   */
  normalise(action: ActionName, params: unknown, path: string): unknown;
  /**
   * Checks what the schema of the published form cannot express. Called before `answer`.
   * @throws DomainError invalid
   */
  check(action: ActionName, params: Readonly<Record<string, unknown>>): void;
  /** @throws RpcError for errors of the protocol; DomainError for errors that every endpoint answers alike */
  answer(action: ActionName, caller: Caller, received: ReceivedCall): Promise<RpcAnswer>;
}
