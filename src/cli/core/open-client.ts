// The start of a command that calls the service: its client, found by the connection flags.
import type { CommandContext } from './command.ts';
import { findConnection, type ConnectionFlags } from './connection.ts';
import { createCliServiceClient, type CliServiceClient } from './service-client.ts';

/** The flags of every command that calls the service. */
export interface ClientFlags extends ConnectionFlags {
  readonly json?: true;
}

/** @param timeoutMs for calls that wait for an answer @throws CliError when no service or token is named */
export async function openClient(
  { io }: Pick<CommandContext, 'io'>,
  flags: ConnectionFlags,
  timeoutMs?: number,
): Promise<CliServiceClient> {
  return createCliServiceClient(await findConnection(io, flags), io, timeoutMs);
}
