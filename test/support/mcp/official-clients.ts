// The official clients of both lines, unmodified, over real ports, in one shape.
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Called } from './client.ts';

export interface Line {
  readonly name: string;
  /** Connects, with a handshake where its era has one. */
  readonly connect: (address: string, token: string, headers?: Record<string, string>) => Promise<Connected>;
}

export interface Connected extends AsyncDisposable {
  readonly era: string;
  readonly instructions: string | undefined;
  tools(): Promise<{ name: string; annotations?: Record<string, unknown> }[]>;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<Called>;
  resources(): Promise<string[]>;
  templates(): Promise<string[]>;
  read(uri: string): Promise<string>;
  prompts(): Promise<string[]>;
  prompt(name: string, args: Record<string, string>): Promise<string>;
  complete(prompt: string, argument: string, value: string): Promise<string[]>;
}

interface CallOptions {
  readonly onProgress?: (message: string) => void;
}

const identity = { name: 'a-test', version: '1.0.0' };

export const lines: readonly Line[] = [
  { name: 'SDK 1', connect: connectFirst },
  { name: 'SDK 2, era of 2025', connect: (url, token, headers) => connectSecond('legacy', url, token, headers) },
  { name: 'SDK 2, era of 2026', connect: (url, token, headers) => connectSecond('auto', url, token, headers) },
];

function requestInit(token: string, headers: Record<string, string> = {}): RequestInit {
  return { headers: { authorization: `Bearer ${token}`, ...headers } };
}

async function connectFirst(address: string, token: string, headers?: Record<string, string>): Promise<Connected> {
  const client = new Client1(identity);
  await client.connect(new Transport1(new URL(address), { requestInit: requestInit(token, headers) }));
  return shaped(client, 'legacy');
}

async function connectSecond(
  mode: 'legacy' | 'auto',
  address: string,
  token: string,
  headers?: Record<string, string>,
): Promise<Connected> {
  const client = new Client2(identity, { versionNegotiation: { mode } });
  await client.connect(new Transport2(new URL(address), { requestInit: requestInit(token, headers) }));
  return shaped(client, client.getProtocolEra() ?? 'none');
}

/** Both lines have these methods, in types of their own. */
function shaped(client: Client1 | Client2, era: string): Connected {
  const legacyClient = client as Client1;
  return {
    era,
    instructions: legacyClient.getInstructions(),
    tools: async () => (await legacyClient.listTools()).tools,
    async call(name, args, { onProgress } = {}) {
      const options =
        onProgress === undefined
          ? {}
          : { onprogress: (progress: { message?: string }) => onProgress(progress.message ?? '') };
      const result =
        client instanceof Client1
          ? await client.callTool({ name, arguments: args }, undefined, options)
          : await client.callTool({ name, arguments: args }, options);
      return result as Called;
    },
    resources: async () => (await legacyClient.listResources()).resources.map(({ uri }) => uri),
    templates: async () =>
      (await legacyClient.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    async read(uri) {
      const [content] = (await legacyClient.readResource({ uri })).contents;
      return content !== undefined && 'text' in content ? content.text : '';
    },
    prompts: async () => (await legacyClient.listPrompts()).prompts.map(({ name }) => name),
    async prompt(name, args) {
      const [message] = (await legacyClient.getPrompt({ name, arguments: args })).messages;
      return message?.content.type === 'text' ? message.content.text : '';
    },
    async complete(prompt, argument, value) {
      const ref = { type: 'ref/prompt' as const, name: prompt };
      return (await legacyClient.complete({ ref, argument: { name: argument, value } })).completion.values;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
