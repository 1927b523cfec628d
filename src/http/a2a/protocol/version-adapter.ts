// A dialect: one way to write the protocol. Which params it takes, how older or looser forms of them become those, and
// what an action answers in it. There are three: v0.3 JSON, v0.3 in the JSON of its proto file, and v1.0.
import type { z } from 'zod';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { RequestContext, RpcAnswer } from '../../pipeline/operation.ts';
import type { ActionName } from './actions.ts';
import type { WireVersion } from './versions.ts';

/** What a call brings, whatever its action. */
export interface ReceivedCall {
  /** In the published form. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly context: RequestContext;
}

export interface VersionAdapter {
  readonly version: WireVersion;
  readonly params: Readonly<Record<ActionName, z.ZodType<Record<string, unknown>>>>;
  /**
   * Brings what came into the published form; leaves alone what it does not know, for the schema to refuse.
   * @param path path of the door, for forms that one door takes and another does not
   * @throws DomainError invalid for more parts than a message may have
   */
  normalise(action: ActionName, params: unknown, path: string): unknown;
  /**
   * What a schema cannot say of params in the published form. Asked before `answer`.
   * @throws DomainError invalid
   */
  check(action: ActionName, params: Readonly<Record<string, unknown>>): void;
  /** @throws RpcError in the words of the protocol; DomainError for what is the same on every path */
  answer(action: ActionName, caller: Caller, received: ReceivedCall): Promise<RpcAnswer>;
}
