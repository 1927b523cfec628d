// The protocol's own transport, by its official library: both eras, a server made anew for each request, which asks the
// same methods as every other path.
import {
  createMcpHandler,
  ProtocolError,
  Server,
  type McpHttpHandler,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { DomainError } from '../../../domain/model/errors.ts';
import {
  internalErrorBody,
  errorData,
  isHttpRefusal,
  RpcError,
  rpcCodes,
  type RpcErrorBody,
} from '../../wire/rpc-envelope.ts';
import type { ProgressReporter } from '../tools/progress-reporter.ts';

/** Runs a method of a request that has come through the hallway. @throws RpcError, DomainError */
export type RunMethod = (
  request: Request,
  method: string,
  params: unknown,
  reporter: ProgressReporter,
) => Promise<Record<string, unknown>>;

/** What the server says of itself. */
export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

export interface SdkServerOptions {
  readonly info: ServerInfo;
  readonly instructions: string;
  /** Those that `ask` answers; the others are the library's own. */
  readonly methods: readonly string[];
  readonly runMethod: RunMethod;
  /** Hears of faults of ours. @returns the id under which the log has it */
  readonly logFailure: (request: Request, error: unknown) => string;
}

/** Lists differ by what a credential may; they change with a new version of this program. */
const listCacheHint = { ttlMs: 300_000, cacheScope: 'private' } as const;
export const cacheHints: Readonly<Record<string, { ttlMs: number; cacheScope: 'private' }>> = {
  'tools/list': listCacheHint,
  'prompts/list': listCacheHint,
  'resources/list': listCacheHint,
  'resources/templates/list': listCacheHint,
  'resources/read': { ttlMs: 0, cacheScope: 'private' },
  'server/discover': listCacheHint,
};

/** For answers to questions that this server never asks; the library would make a validator for each request. */
const noValidator: ServerOptions['jsonSchemaValidator'] = {
  getValidator: () => {
    throw new Error('this server asks its clients nothing');
  },
};

/** A level may be set, as clients of older revisions do; there is nothing to log to them. */
export const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} };

export function createSdkHandler(options: SdkServerOptions): McpHttpHandler {
  return createMcpHandler(
    ({ requestInfo }) => {
      if (requestInfo === undefined) throw new Error('a request came from nowhere');
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

/** Params are looked at by the methods themselves. */
const anyParams = z.looseObject({});

/** Progress goes to who asked for it, by the token given. */
function progressReporterOf({ mcpReq }: ServerContext): ProgressReporter {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    signal: mcpReq.signal,
    report(progress, message) {
      if (progressToken === undefined || mcpReq.signal.aborted) return;
      // A client that is gone has no use for it, and its call ends by the signal.
      mcpReq
        .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
        .catch(() => undefined);
    },
  };
}

/**
 * What went wrong in a call, in the words of this transport.
 * @param logFailure hears of faults of ours; returns the id under which the log has it
 */
export function renderMcpError(error: unknown, logFailure: (error: unknown) => string): RpcErrorBody {
  if (error instanceof RpcError) return { code: error.code, message: error.message, data: error.data };
  if (!(error instanceof DomainError) || error.kind === 'internal') return internalErrorBody(logFailure(error));
  // The answer's head may be on its way: what HTTP would say of it elsewhere is said in the protocol's words.
  const code = isHttpRefusal(error) ? rpcCodes.internal : rpcCodes.params;
  return { code, message: error.message, data: errorData(error) };
}
