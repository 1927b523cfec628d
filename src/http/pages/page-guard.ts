// Access to page files: a bearer token or the cookie of a sign-in session. The cookie grants no access to operations, which
// need a bearer token. A browser with neither gets the sign-in page. choices-4.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain/model/errors.ts';
import type { Admission } from '../pipeline/admission.ts';
import type { RequestPipeline } from '../pipeline/request-pipeline.ts';
import { renderProblem } from '../wire/problem.ts';
import { headerOf } from '../pipeline/request-context.ts';
import { inboundRequestOf, pathOf, resourceOf } from '../pipeline/request.ts';
import { hasSessionCookie, expiredSessionCookie, pageSecretOf } from './session-cookie.ts';
import { renderSignInPage, retryOf } from './sign-in-page.ts';

/**
 * The `onRequest` hook of a route of page files. Returns the reply once it has sent it. The route's handler calls
 * `request.call.succeeded()` when the file was found.
 */
export type PageGuard = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

const pageRoots = ['/v1/monitor', '/dashboard', '/docs'];

/** Whether page files may be at this path. Operations below these roots take precedence. */
export function isPagePath(path: string): boolean {
  return pageRoots.some((root) => path === root || path.startsWith(`${root}/`));
}

/**
 * Admits every authenticated caller and opens the audit entry.
 * @throws DomainError unauthenticated, except for a browser's navigation, which gets the sign-in page
 */
export function createPageGuard(pipeline: RequestPipeline): PageGuard {
  const page = renderSignInPage();
  return async (request, reply) => {
    try {
      const admission = await authenticate(pipeline, request);
      const operation = {
        name: 'pages.read',
        permission: 'any_credential',
        resource: resourceOf(pathOf(request)),
      } as const;
      request.call = await admission.begin({ ...operation, changes: false });
      return undefined;
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'unauthenticated') throw error;
      if (!isNavigation(request)) throw error;
      const { status, headers } = renderProblem(error, request.id);
      // Removes a cookie that is no longer valid from the browser.
      if (hasSessionCookie(headerOf(request, 'cookie'))) reply.header('set-cookie', expiredSessionCookie(false));
      return reply
        .code(status)
        .headers({ ...headers, ...page.headers })
        .send(page.html(retryOf(headerOf(request, 'sec-fetch-site'))));
    }
  };
}

/** Uses the cookie only without an `Authorization` header: a valid cookie must not hide a wrong header. */
function authenticate(pipeline: RequestPipeline, request: FastifyRequest): Promise<Admission> {
  const inbound = inboundRequestOf(request);
  const secret = pageSecretOf(headerOf(request, 'cookie'));
  if (inbound.authorization.length > 0 || secret === undefined) return pipeline.authenticate(inbound, request);
  return pipeline.authenticate({ ...inbound, authorization: [`Bearer ${secret}`], tokenUse: 'page' }, request);
}

function isNavigation(request: FastifyRequest): boolean {
  return ['GET', 'HEAD'].includes(request.method) && prefersHtml(request.headers.accept);
}

interface MediaRange {
  readonly type: string;
  readonly weight: number;
}

/** True when the header `Accept` names `text/html` and gives no JSON type a greater weight. RFC 9110 §12.5.1. */
export function prefersHtml(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map(parseMediaRange);
  const html = weightOf(ranges, ['text/html']);
  if (html === undefined || html === 0) return false;
  const json = weightOf(ranges, ['application/json', 'application/problem+json']);
  const anything = weightOf(ranges, ['application/*', '*/*']) ?? 0;
  return json === undefined ? html >= anything : html > json;
}

function parseMediaRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, weight: weight === undefined ? 1 : Number(weight) || 0 };
}

/** The greatest weight of these types; undefined when none of them is named. */
function weightOf(ranges: readonly MediaRange[], types: readonly string[]): number | undefined {
  const weights = ranges.filter(({ type }) => types.includes(type)).map(({ weight }) => weight);
  return weights.length === 0 ? undefined : Math.max(...weights);
}
