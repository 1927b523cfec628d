// Where the document of the REST families is read: `/openapi.json` for programs, `/docs` for people.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { RequestPipeline } from '../pipeline/request-pipeline.ts';
import { operation, type Operation } from '../pipeline/operation.ts';
import { createPageGuard } from '../pages/page-guard.ts';
import { buildOpenApiDocument } from './document.ts';
import { referencePage, type ReferencePage } from './reference-page.ts';

/** The document itself is the shape's own authority. */
const openApi = z.record(z.string(), z.unknown());

export interface ReferenceOptions {
  /** Every row that is mounted, the document's own too; asked for when the first reader comes. */
  readonly operations: () => readonly Operation[];
  readonly version: string;
  readonly base: () => string;
}

export function documentOperations(options: ReferenceOptions): Operation[] {
  let document: Record<string, unknown> | undefined;
  return [
    operation({
      name: 'docs.openapi',
      method: 'GET',
      path: '/openapi.json',
      summary: 'This service as an OpenAPI 3.1 document.',
      permission: 'any_credential',
      answers: { 200: openApi },
      run: () => {
        document ??= buildOpenApiDocument(options.operations(), { version: options.version, base: options.base() });
        return Promise.resolve({ status: 200, body: document });
      },
    }),
  ];
}

/** The page is a page file: a browser that is signed in reads it, one that is not gets the sign-in page. choices-4. */
export function mountReference(app: FastifyInstance, pipeline: RequestPipeline, options: ReferenceOptions): void {
  let page: ReferencePage | undefined;
  const guard = createPageGuard(pipeline);
  app.route({
    method: 'GET',
    url: '/docs',
    onRequest: async (request, reply) => guard(request, reply),
    handler: async (request, reply) => {
      page ??= referencePage(options.operations(), options.version, options.base());
      await request.call?.succeeded();
      return reply.headers({ ...page.headers }).send(page.html);
    },
  });
}
