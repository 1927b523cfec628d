// The guard of page files: a bearer opens them, or the cookie of a sign-in session. It opens no operation: data calls
// carry their bearer. A browser that has neither gets the sign-in page. choices §4.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain/model/errors.ts';
import type { Hallway } from '../pipeline/admit.ts';
import type { Knock } from '../pipeline/knock.ts';
import { renderProblem } from '../wire/problem.ts';
import { headerOf } from '../pipeline/request-facts.ts';
import { knockOf, pathOf } from '../bindings/rest.ts';
import { prefersHtml } from './prefers-html.ts';
import { carriesSession, endedSessionCookie, sessionTokenOf } from './session-cookie.ts';
import { signInPage } from './sign-in-page.ts';

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
export function pageGuard(hallway: Hallway): PageGuard {
  const page = signInPage();
  return async (request, reply) => {
    const knock = knockWithCookie(request);
    try {
      const caller = await hallway.enter(knock);
      const called = { name: 'pages.read', permission: 'any_credential', resource: pathOf(request) } as const;
      request.call = await hallway.begin(caller, knock, { ...called, changes: false });
      return undefined;
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'unauthenticated') throw error;
      if (!isNavigation(request)) throw error;
      const { status, headers } = renderProblem(error, request.id);
      // A cookie that opens nothing (any more) is not sent again.
      if (carriesSession(headerOf(request, 'cookie'))) reply.header('set-cookie', endedSessionCookie(false));
      return reply
        .code(status)
        .headers({ ...headers, ...page.headers })
        .send(page.html);
    }
  };
}

/** The cookie counts where no header names a credential: a wrong header is not made good by it. */
function knockWithCookie(request: FastifyRequest): Knock {
  const knock = knockOf(request);
  const token = sessionTokenOf(headerOf(request, 'cookie'));
  if (knock.authorization.length > 0 || token === undefined) return knock;
  return { ...knock, authorization: [`Bearer ${token}`] };
}

function isNavigation(request: FastifyRequest): boolean {
  return ['GET', 'HEAD'].includes(request.method) && prefersHtml(request.headers.accept);
}
