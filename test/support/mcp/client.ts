// Calls of the tool protocol in tests, over every path of its endpoint.
import type { CallOptions, TestService, ApiReply, TestUser } from '../service.ts';

/** A result of tools/call, in its plain form. */
export interface Called {
  readonly content: { type: string; text?: string; uri?: string }[];
  // Tests look at what they expect of it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly structuredContent?: any;
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly [key: string]: any;
}

/** A method over plain JSON-RPC. */
export function toolRpc(
  service: TestService,
  method: string,
  params?: unknown,
  options: CallOptions = {},
): Promise<ApiReply> {
  const body = { jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) };
  return service.call('POST', '/mcp/v1/rpc', { body, ...options });
}

/** A tool over plain JSON-RPC, which has to answer. */
export async function called(
  service: TestService,
  name: string,
  args: unknown = {},
  as: TestUser = 'admin',
): Promise<Called> {
  const reply = await toolRpc(service, 'tools/call', { name, arguments: args }, { as });
  if (reply.status !== 200 || reply.body.result === undefined)
    throw new Error(`${name}: ${JSON.stringify(reply.body)}`);
  return reply.body.result;
}

export function textOf({ content }: Called): string {
  return content.map(({ text }) => text ?? '').join('\n');
}
