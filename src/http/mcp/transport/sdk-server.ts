// The official SDK's server for both protocol eras: one instance for each request, which runs the same methods as the
// other transports.
import {
  createMcpHandler,
  ProtocolError,
  Server,
  type McpHttpHandler,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { renderMcpError } from './mcp-errors.ts';
import type { ProgressReporter } from '../tools/progress-reporter.ts';

/** Runs a method of a request that the pipeline has admitted. @throws RpcError, DomainError */
export type RunMethod = (
  request: Request,
  method: string,
  params: unknown,
  reporter: ProgressReporter,
) => Promise<Record<string, unknown>>;

/** The server's self-description. */
export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

export interface SdkServerOptions {
  readonly info: ServerInfo;
  readonly instructions: string;
  /** The methods that `runMethod` answers; the SDK answers all others itself. */
  readonly methods: readonly string[];
  readonly runMethod: RunMethod;
  /** Logs an internal error. @returns the id under which the log has it */
  readonly logFailure: (request: Request, error: unknown) => string;
}

/** Lists depend on the permissions of the credential, and change only with a new version of this program. */
const listCacheHint = { ttlMs: 300_000, cacheScope: 'private' } as const;
export const cacheHints: Readonly<Record<string, { ttlMs: number; cacheScope: 'private' }>> = {
  'tools/list': listCacheHint,
  'prompts/list': listCacheHint,
  'resources/list': listCacheHint,
  'resources/templates/list': listCacheHint,
  'resources/read': { ttlMs: 0, cacheScope: 'private' },
  'server/discover': listCacheHint,
};

/**
 * Never used, because this server sends no requests to its clients. Without it the SDK makes a validator for each
 * request.
 */
const noValidator: ServerOptions['jsonSchemaValidator'] = {
  getValidator: () => {
    throw new Error('this server sends no requests to its clients');
  },
};

/** `logging` lets clients of older revisions set a level; the server never sends them log messages. */
export const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} };

export function createSdkHandler(options: SdkServerOptions): McpHttpHandler {
  return createMcpHandler(
    ({ requestInfo }) => {
      if (requestInfo === undefined) throw new Error('the SDK passed no request');
      return createServer(requestInfo, options);
    },
    { keepAliveMs: 15_000 },
  );
}

function createServer(request: Request, options: SdkServerOptions): Server {
  const { info, instructions } = options;
  const settings = { capabilities, instructions, cacheHints, jsonSchemaValidator: noValidator };
  const server = new Server(info, settings);
  for (const method of options.methods) {
    server.setRequestHandler(method, { params: anyParams }, async (params, context) => {
      try {
        return await options.runMethod(request, method, params, progressReporterOf(context));
      } catch (error) {
        const { code, message, data } = renderMcpError(error, (failure) => options.logFailure(request, failure));
        throw new ProtocolError(code, message, data);
      }
    });
  }
  return server;
}

/** Each method validates its own params. */
const anyParams = z.looseObject({});

/** Reports progress to a client that sent a progress token. */
function progressReporterOf({ mcpReq }: ServerContext): ProgressReporter {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    signal: mcpReq.signal,
    report(progress, message) {
      if (progressToken === undefined || mcpReq.signal.aborted) return;
      // A failure means that the client has disconnected, and the signal ends its call.
      mcpReq
        .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
        .catch(() => undefined);
    },
  };
}
