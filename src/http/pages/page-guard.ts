// The guard of page files: a bearer opens them, or the cookie of a sign-in session. It opens no operation: data calls
// carry their bearer. A browser that has neither gets the sign-in page. choices-4.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain/model/errors.ts';
import type { RequestPipeline } from '../pipeline/request-pipeline.ts';
import type { InboundRequest } from '../pipeline/inbound-request.ts';
import { renderProblem } from '../wire/problem.ts';
import { headerOf } from '../pipeline/request-context.ts';
import { inboundRequestOf, pathOf } from '../bindings/rest.ts';
import { prefersHtml } from './prefers-html.ts';
import { hasSessionCookie, expiredSessionCookie, sessionTokenOf } from './session-cookie.ts';
import { renderSignInPage } from './sign-in-page.ts';

/**
 * Answers the reply when it has answered. A route of page files has it as its `onRequest`, and says with
 * `request.call.succeeded()` that the file was found.
 */
export type PageGuard = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

const pageRoots = ['/v1/monitor', '/dashboard', '/docs'];

/** Whether page files may lie at this path. What an operation has there is the operation's. */
export function isPagePath(path: string): boolean {
  return pageRoots.some((root) => path === root || path.startsWith(`${root}/`));
}

/**
 * Lets page files be read by who is known, and opens the audit's entry of it.
 * @throws DomainError unauthenticated for all but a browser's navigation, which is answered with the sign-in page
 */
export function createPageGuard(pipeline: RequestPipeline): PageGuard {
  const page = renderSignInPage();
  return async (request, reply) => {
    const inbound = inboundRequestWithCookie(request);
    try {
      const caller = await pipeline.authenticate(inbound);
      const operation = { name: 'pages.read', permission: 'any_credential', resource: pathOf(request) } as const;
      request.call = await pipeline.begin(caller, inbound, { ...operation, changes: false });
      return undefined;
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'unauthenticated') throw error;
      if (!isNavigation(request)) throw error;
      const { status, headers } = renderProblem(error, request.id);
      // A cookie that opens nothing (any more) is not sent again.
      if (hasSessionCookie(headerOf(request, 'cookie'))) reply.header('set-cookie', expiredSessionCookie(false));
      return reply
        .code(status)
        .headers({ ...headers, ...page.headers })
        .send(page.html);
    }
  };
}

/** The cookie counts where no header names a credential: a wrong header is not made good by it. */
function inboundRequestWithCookie(request: FastifyRequest): InboundRequest {
  const inbound = inboundRequestOf(request);
  const token = sessionTokenOf(headerOf(request, 'cookie'));
  if (inbound.authorization.length > 0 || token === undefined) return inbound;
  return { ...inbound, authorization: [`Bearer ${token}`] };
}

function isNavigation(request: FastifyRequest): boolean {
  return ['GET', 'HEAD'].includes(request.method) && prefersHtml(request.headers.accept);
}
