// Serves the files of the built pages: the page itself at every page path, its hashed assets, and files beside them. ui-11.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain/model/errors.ts';
import type { RequestPipeline } from '../pipeline/request-pipeline.ts';
import { callOf, noSuchRoute, pathOf } from '../pipeline/request.ts';
import { createPageGuard } from './page-guard.ts';
import { pageFileHeaders } from './page-headers.ts';
import { pagePaths } from './page-paths.ts';

export interface PageFilesOptions {
  /** The folder of the build; it may appear or change while the service runs. */
  readonly folder: string;
  /** Milliseconds of a clock that is never set back. */
  readonly elapsedMs: () => number;
}

/** The folder of the build: beside the sources and beside the compiled service. */
export const builtPagesFolder = path.resolve(import.meta.dirname, '../../../dist/ui');

/** A name has a hash of its content, so a copy of it is never stale. */
const assetCaching = 'private, max-age=31536000, immutable';

/** Mounts the pages. A browser without a session gets the sign-in page at their paths; without a build they are 503. */
export function mountPages(app: FastifyInstance, pipeline: RequestPipeline, options: PageFilesOptions): void {
  const { folder, elapsedMs } = options;
  const guard = createPageGuard(pipeline);
  const assets = new FirstReads(elapsedMs);
  // It only adds `reply.sendFile`: the routes below decide what is served.
  app.register(fastifyStatic, {
    serve: false,
    preCompressed: true,
    cacheControl: false,
    index: false,
    redirect: false,
  });
  const mount = (url: string, fileOf: (path: string) => PageFile): void => {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      onRequest: async (request, reply) => guard(request, reply),
      handler: async (request, reply) => {
        const { name, caching, isAsset } = fileOf(pathOf(request));
        if (!(await isFile(path.join(folder, name)))) throw await missingFile(folder, request);
        const call = callOf(request);
        // A page loads dozens of assets: an entry for each would hide the others.
        if (isAsset && !assets.isFirst(call.caller.credentialId)) call.folded();
        else await call.succeeded();
        reply.headers({ ...pageFileHeaders, 'cache-control': caching });
        return reply.sendFile(name, folder);
      },
    });
  };
  for (const page of pagePaths) mount(page, () => ({ name: 'index.html', caching: 'no-cache', isAsset: false }));
  mount('/v1/monitor/assets/:name', (requested) => ({
    name: `assets/${nameIn(requested)}`,
    caching: assetCaching,
    isAsset: true,
  }));
  mount('/v1/monitor/:file(^[\\w-]+\\.(?:json|svg|png|ico|webmanifest)$)', (requested) => {
    const name = nameIn(requested);
    return { name, caching: name === 'build.json' ? 'no-store' : 'no-cache', isAsset: false };
  });
}

interface PageFile {
  /** Within the folder of the build. */
  readonly name: string;
  /** The header `Cache-Control`. */
  readonly caching: string;
  readonly isAsset: boolean;
}

/** The last part of a path as it was sent: a part with an escape names no file. */
function nameIn(requested: string): string {
  return path.posix.basename(requested);
}

async function isFile(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true;
}

async function missingFile(folder: string, request: FastifyRequest): Promise<DomainError> {
  if (await isFile(path.join(folder, 'index.html'))) return noSuchRoute(request);
  const remedy = 'The pages are not built. In the folder of the service, run `npm run build:ui`, then reload.';
  return new DomainError('unavailable', 'pages_not_built', remedy);
}

const foldMs = 60_000;
const maxCredentials = 10_000;

class FirstReads {
  readonly #elapsedMs: () => number;
  /** When the fold of each credential began, oldest first. */
  readonly #since = new Map<string, number>();

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /** True once a minute for each credential. */
  isFirst(credentialId: string): boolean {
    const now = this.#elapsedMs();
    const since = this.#since.get(credentialId);
    if (since !== undefined && now - since < foldMs) return false;
    this.#since.delete(credentialId);
    this.#since.set(credentialId, now);
    const [oldest] = this.#since.keys();
    if (this.#since.size > maxCredentials && oldest !== undefined) this.#since.delete(oldest);
    return true;
  }
}
