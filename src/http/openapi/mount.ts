// Serves the API description: `/openapi.json` for programs, `/docs` for people.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { RequestPipeline } from '../pipeline/request-pipeline.ts';
import { operation, type Operation } from '../pipeline/operation.ts';
import { createPageGuard } from '../pages/page-guard.ts';
import { buildOpenApiDocument } from './document.ts';
import { referencePage, type ReferencePage } from './reference-page.ts';

/** The OpenAPI specification defines the shape; it is not repeated here. */
const openApi = z.record(z.string(), z.unknown());

export interface ReferenceOptions {
  /** Every mounted operation, including the document's own. Called on the first request. */
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
      summary: 'Get the OpenAPI 3.1 document of this service.',
      permission: 'any_credential',
      answers: { 200: openApi },
      run: () => {
        document ??= buildOpenApiDocument(options.operations(), { version: options.version, base: options.base() });
        return Promise.resolve({ status: 200, body: document });
      },
    }),
  ];
}

/** Mounts the reference page. A browser without a session gets the sign-in page. choices-4. */
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
