// The client of the API server: loaded in a cluster only, one connection pool, one deadline for the calls of a session.
import { Agent, type Dispatcher } from 'undici';
import type { Configuration, RequestContext } from '@kubernetes/client-node';
import { readServiceAccount } from './service-account.ts';

export type ClientLibrary = typeof import('@kubernetes/client-node');

export interface ClientOptions {
  readonly host: string;
  readonly port: number;
  readonly serviceAccountDir: string;
  /** Milliseconds for all answers of a session. */
  readonly deadlineMs: number;
}

/** A configuration of the library whose requests end at one deadline. */
export interface ApiSession {
  readonly library: ClientLibrary;
  readonly configuration: Configuration;
}

export class KubernetesClient implements AsyncDisposable {
  readonly #options: ClientOptions;
  readonly #server: string;
  #library: Promise<ClientLibrary> | undefined;
  #agent: Agent | undefined;
  /** The authority that the agent trusts. */
  #ca: string | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    const host = options.host.includes(':') ? `[${options.host}]` : options.host;
    this.#server = `https://${host}:${options.port}`;
  }

  /** Reads the token and the authority anew. @throws the system's error when the token cannot be read */
  async open(): Promise<ApiSession> {
    // Loading takes half a second and 90 MB, which a service outside a cluster is spared.
    this.#library ??= import('@kubernetes/client-node');
    const [library, account] = await Promise.all([this.#library, readServiceAccount(this.#options.serviceAccountDir)]);
    const dispatcher = await this.#dispatcher(account.ca);
    const signal = AbortSignal.timeout(this.#options.deadlineMs);
    const configuration = library.createConfiguration({
      baseServer: new library.ServerConfiguration(this.#server, {}),
      // The library's own authentication opens a connection for each request.
      promiseMiddleware: [
        {
          pre(request: RequestContext) {
            request.setHeaderParam('Authorization', `Bearer ${account.token}`);
            request.setHeaderParam('User-Agent', 'switchyard');
            request.setDispatcher(dispatcher);
            request.setSignal(signal);
            return Promise.resolve(request);
          },
          post: (response) => Promise.resolve(response),
        },
      ],
    });
    return { library, configuration };
  }

  async #dispatcher(ca: string | undefined): Promise<Dispatcher> {
    if (this.#agent !== undefined && this.#ca === ca) return this.#agent;
    const before = this.#agent;
    this.#ca = ca;
    this.#agent = new Agent({ connect: ca === undefined ? {} : { ca }, connections: 8, keepAliveTimeout: 10_000 });
    await before?.close();
    return this.#agent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent?.destroy();
  }
}
