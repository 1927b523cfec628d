// A small identity provider on loopback: discovery, keys, client credentials. Real keys, real signatures, real faults.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

/** The claims of a client's tokens. */
export interface Client {
  readonly secret: string;
  readonly claims: JWTPayload;
}

export type Path = '/.well-known/openid-configuration' | '/jwks' | '/token';

/** In place of the right answer: a cut connection, none at all, or this. */
export type Fault = 'cut' | 'silent' | ((request: IncomingMessage, response: ServerResponse) => void);

export async function makeSigningKey(alg: string, kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export class TestProvider implements AsyncDisposable {
  readonly audience = 'switchyard';
  readonly clients = new Map<string, Client>();
  /** The keys it publishes; the first signs. */
  keys: readonly SigningKey[];
  /** Replaces the published set. */
  jwks: (() => unknown) | undefined;
  /** Added to the discovery document. */
  discovery: Record<string, unknown> = {};
  readonly #faults = new Map<Path, Fault>();
  readonly #requestsByPath = new Map<string, number>();
  readonly #server: Server;

  constructor(server: Server, keys: readonly SigningKey[]) {
    this.#server = server;
    this.keys = keys;
    server.on('request', (request, response) => {
      this.#answer(request, response).catch((error: unknown) =>
        response.destroy(new Error('failed', { cause: error })),
      );
    });
  }

  get issuer(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  /** How often a path was asked for. */
  requestsTo(path: string): number {
    return this.#requestsByPath.get(path) ?? 0;
  }

  /** Requests of any kind. */
  get requests(): number {
    return [...this.#requestsByPath.values()].reduce((sum, n) => sum + n, 0);
  }

  break(fault: Fault, paths: readonly Path[] = ['/.well-known/openid-configuration', '/jwks']): void {
    for (const path of paths) this.#faults.set(path, fault);
  }

  mend(): void {
    this.#faults.clear();
    // Requests that still wait for a silent answer get none.
    this.#server.closeAllConnections();
  }

  /** A token as the provider makes it, with these claims over the usual ones; `undefined` takes one away. */
  async token(claims: JWTPayload = {}, { key, header = {} }: TokenOptions = {}): Promise<string> {
    const signing = key ?? this.keys[0];
    if (signing === undefined) throw new Error('the provider has no key');
    const now = Math.floor(Date.now() / 1000);
    const usual = {
      iss: this.issuer,
      aud: this.audience,
      sub: 'somebody',
      iat: now,
      exp: now + 300,
      tenant_id: 'default',
      roles: ['editor'],
    };
    const payload = Object.fromEntries(
      Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined),
    );
    return new SignJWT(payload)
      .setProtectedHeader({ alg: signing.alg, kid: signing.kid, typ: 'at+jwt', ...header })
      .sign(signing.privateKey);
  }

  /** As a program gets one: the client-credentials grant. core-5.4. */
  async grant(clientId: string): Promise<string> {
    const client = this.clients.get(clientId);
    const response = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: clientId,
        client_secret: client?.secret ?? '',
        grant_type: 'client_credentials',
      }),
    });
    const body: unknown = await response.json();
    if (typeof body !== 'object' || body === null || !('access_token' in body)) throw new Error('no token');
    if (typeof body.access_token !== 'string') throw new Error('no token');
    return body.access_token;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    this.#requestsByPath.set(path, this.requestsTo(path) + 1);
    const fault = [...this.#faults].find(([broken]) => broken === path)?.[1];
    if (fault === 'cut') return void request.socket.destroy();
    if (fault === 'silent') return;
    if (fault !== undefined) return fault(request, response);
    if (path === '/.well-known/openid-configuration') {
      const { issuer } = this;
      const document = { issuer, jwks_uri: `${issuer}/jwks`, token_endpoint: `${issuer}/token`, ...this.discovery };
      return sendJson(response, 200, document);
    }
    if (path === '/jwks') return sendJson(response, 200, this.jwks?.() ?? { keys: this.keys.map(({ jwk }) => jwk) });
    if (path === '/token' && request.method === 'POST') return this.#grantTo(await text(request), response);
    return sendJson(response, 404, {});
  }

  async #grantTo(form: string, response: ServerResponse): Promise<void> {
    const parameters = new URLSearchParams(form);
    const id = parameters.get('client_id') ?? '';
    const client = this.clients.get(id);
    if (parameters.get('grant_type') !== 'client_credentials' || client?.secret !== parameters.get('client_secret')) {
      return sendJson(response, 401, { error: 'invalid_client' });
    }
    const access_token = await this.token({ sub: id, client_id: id, ...client.claims });
    return sendJson(response, 200, { access_token, token_type: 'Bearer', expires_in: 300 });
  }
}

interface TokenOptions {
  readonly key?: SigningKey;
  readonly header?: Record<string, unknown>;
}

export async function openProvider(alg = 'RS256'): Promise<TestProvider> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new TestProvider(server, [await makeSigningKey(alg, 'first')]);
}

/** A server that nobody may be made to ask: it counts who connects, and answers with the keys that it is given. */
export class Decoy implements AsyncDisposable {
  visits = 0;
  readonly #server: Server;

  constructor(server: Server, keys: readonly SigningKey[]) {
    this.#server = server;
    server.on('connection', () => (this.visits += 1));
    server.on('request', (_request, response) => sendJson(response, 200, { keys: keys.map(({ jwk }) => jwk) }));
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export async function openDecoy(keys: readonly SigningKey[]): Promise<Decoy> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new Decoy(server, keys);
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
