// A forged API server: one namespace in memory, a Deployment whose pods are replaced when they are evicted, and every fault
// that a real one could have.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { deploymentOf } from './real-scene.ts';
import { podStatus } from './pod-status.ts';
import type { PodState, Scene } from './scene.ts';

// Objects of the API, as loose as JSON.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

/** The failure with which the server meets each request in place of an answer. */
export type ApiFault = 'none' | 'hang' | 'half' | 'unintelligible' | 'unavailable' | 'unauthorized' | 'not_an_object';

const hash = 'forged1234';
const listed = { apiVersion: 'v1', kind: 'List' };

export class ForgedApi implements Scene, AsyncDisposable {
  readonly namespace = 'forged';
  readonly deployment = 'switchyard';
  readonly folder = mkdtempSync(path.join(tmpdir(), 'switchyard-forged-'));
  fault: ApiFault = 'none';
  /** Writes of the scale before each of which somebody else changes the Deployment. */
  outpacedWrites = 0;
  /** Path and query of each request, the newest last. */
  readonly requests: string[] = [];
  /** The token of each request. */
  readonly tokens: string[] = [];
  connections = 0;
  readonly #server: Server;
  readonly #evicted: string[] = [];
  readonly #denied = new Set<string>();
  #pods: Json[] = [];
  #object: Json;
  #autoscalers: Json[] = [];
  #budget = 0;
  #made = 0;

  private constructor(replicas: number) {
    const authority = makeCertificate(this.folder);
    writeFileSync(path.join(this.folder, 'ca.crt'), authority.certificate);
    this.setToken('forged-token');
    writeFileSync(path.join(this.folder, 'namespace'), this.namespace);
    this.#object = {
      ...deploymentOf(this.deployment, replicas),
      metadata: {
        name: this.deployment,
        uid: 'deployment-uid',
        generation: 1,
        resourceVersion: '1',
        annotations: revision,
      },
    };
    for (let n = 0; n < replicas; n += 1) this.#addPod('ready');
    this.#server = createServer({ key: authority.key, cert: authority.certificate }, (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#server.on('secureConnection', () => (this.connections += 1));
  }

  static async open(replicas: number): Promise<ForgedApi> {
    const forged = new ForgedApi(replicas);
    await once(forged.#server.listen(0, '127.0.0.1'), 'listening');
    return forged;
  }

  get connection() {
    const { port } = this.#server.address() as AddressInfo;
    return { host: '127.0.0.1', port, serviceAccountDir: this.folder, podNamespace: undefined };
  }

  setToken(token: string): void {
    writeFileSync(path.join(this.folder, 'token'), token);
  }

  /** Adds pods until there are so many. */
  growTo(count: number): void {
    while (this.#pods.length < count) this.#addPod('ready');
    this.#object.spec.replicas = count;
  }

  #addPod(state: PodState): void {
    this.#made += 1;
    const name = `switchyard-${hash}-${String(this.#made).padStart(5, '0')}`;
    this.#pods.push({
      metadata: {
        name,
        uid: randomUUID(),
        creationTimestamp: new Date(Date.now() - 3_600_000).toISOString(),
        labels: { app: 'switchyard', 'pod-template-hash': hash },
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `switchyard-${hash}`, uid: 'rs', controller: true },
        ],
      },
      spec: { containers: [{ name: 'service' }] },
      status: podStatus(state),
    });
  }

  pods(): Promise<string[]> {
    return Promise.resolve(this.#pods.map(({ metadata }) => String(metadata.name)).toSorted());
  }

  async setPod(name: string, state: PodState): Promise<void> {
    const pod = this.#pods.find(({ metadata }) => metadata.name === name);
    pod.status = podStatus(state);
  }

  async heal(): Promise<void> {
    for (const pod of this.#pods) pod.status = podStatus('ready');
  }

  async deny(verb: string, resource: string): Promise<void> {
    this.#denied.add(`${verb} ${resource}`);
  }

  async allowAll(): Promise<void> {
    this.#denied.clear();
  }

  async addAutoscaler({ min, max }: { readonly min: number; readonly max: number }): Promise<void> {
    const spec = { scaleTargetRef: { kind: 'Deployment', name: this.deployment }, minReplicas: min, maxReplicas: max };
    this.#autoscalers.push({ metadata: { name: 'by-load' }, spec });
  }

  async setBudget(minAvailable: number): Promise<void> {
    this.#budget = minAvailable;
  }

  async removeBudget(): Promise<void> {
    this.#budget = 0;
  }

  async replicas(): Promise<number> {
    return this.#object.spec.replicas;
  }

  async beginRollout(): Promise<void> {
    this.#object.metadata.generation += 1;
  }

  async evictions(): Promise<string[]> {
    return this.#evicted;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'https://forged');
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    this.tokens.push(String(request.headers.authorization).replace('Bearer ', ''));
    const body = request.method === 'GET' ? undefined : await json(request);
    if (this.fault !== 'none') return answerWithFault(this.fault, response);
    const call = toCall(request.method ?? '', url.pathname);
    if (this.#denied.has(call)) return send(response, 403, forbidden(call));
    const [status, answer] = this.#handle(call, url, body);
    send(response, status, answer);
  }

  #handle(call: string, url: URL, body: Json): [number, Json] {
    const name = url.pathname.split('/')[6] ?? '';
    switch (call) {
      case 'get pods': {
        const pod = this.#pods.find(
          ({ metadata }) => metadata.name === decodeURIComponent(url.pathname.split('/')[6] ?? ''),
        );
        return pod === undefined ? [404, failure(404, 'NotFound', `pods "${name}" not found`)] : [200, pod];
      }
      case 'list pods':
        return [200, page(this.#pods, url)];
      case 'get replicasets':
        return [200, this.#replicaSet()];
      case 'list replicasets':
        return [200, { ...listed, metadata: {}, items: [this.#replicaSet()] }];
      case 'get deployments':
        return [200, this.#withStatus()];
      case 'patch deployments':
        return this.#patch(body);
      case 'get deployments/scale':
        return [200, this.#scale()];
      case 'patch deployments/scale':
        return this.#setScale(body);
      case 'create pods/eviction':
        return this.#evict(name, body);
      case 'list horizontalpodautoscalers':
        return [200, { ...listed, metadata: {}, items: this.#autoscalers }];
      case 'create selfsubjectaccessreviews':
        return [201, this.#review(body)];
      case 'discover policy':
      case 'discover autoscaling':
        return [200, { name: '', versions: [{ groupVersion: 'x/v1', version: 'v1' }], serverAddressByClientCIDRs: [] }];
      default:
        return [404, failure(404, 'NotFound', `the server could not find ${call}`)];
    }
  }

  #replicaSet(): Json {
    const owner = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: this.deployment,
      uid: 'deployment-uid',
      controller: true,
    };
    const labels = { 'pod-template-hash': hash };
    const metadata = { name: `switchyard-${hash}`, uid: 'rs', labels, annotations: revision, ownerReferences: [owner] };
    return { metadata, spec: {} };
  }

  #withStatus(): Json {
    const { replicas } = this.#object.spec;
    const ready = this.#pods.filter(isReady).length;
    const conditions = [{ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' }];
    const counts = { replicas, updatedReplicas: replicas, readyReplicas: ready, availableReplicas: ready };
    return { ...this.#object, status: { observedGeneration: 1, ...counts, conditions } };
  }

  #patch(body: Json): [number, Json] {
    const annotations = body.spec?.template?.metadata?.annotations ?? {};
    this.#object.spec.template.metadata.annotations = annotations;
    return [200, this.#withStatus()];
  }

  #scale(): Json {
    const { resourceVersion } = this.#object.metadata;
    return { metadata: { name: this.deployment, resourceVersion }, spec: { replicas: this.#object.spec.replicas } };
  }

  #setScale(body: Json): [number, Json] {
    const { metadata } = this.#object;
    if (this.outpacedWrites > 0) {
      this.outpacedWrites -= 1;
      metadata.resourceVersion = String(Number(metadata.resourceVersion) + 1);
    }
    if (body.metadata.resourceVersion !== metadata.resourceVersion) {
      return [409, failure(409, 'Conflict', 'the object has been modified')];
    }
    metadata.resourceVersion = String(Number(metadata.resourceVersion) + 1);
    this.#object.spec.replicas = body.spec.replicas;
    while (this.#pods.length < body.spec.replicas) this.#addPod('ready');
    this.#pods = this.#pods.slice(0, body.spec.replicas);
    return [200, this.#scale()];
  }

  #evict(name: string, body: Json): [number, Json] {
    const pod = this.#pods.find(({ metadata }) => metadata.name === name);
    if (pod === undefined) return [404, failure(404, 'NotFound', `pods "${name}" not found`)];
    if (body.deleteOptions.preconditions.uid !== pod.metadata.uid)
      return [409, failure(409, 'Conflict', 'another uid')];
    if (this.#pods.filter(isReady).length < this.#budget) {
      return [
        429,
        failure(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget."),
      ];
    }
    this.#evicted.push(name);
    this.#pods = this.#pods.filter((each) => each !== pod);
    this.#addPod('not_ready');
    this.#pods.at(-1).status = { phase: 'Pending' };
    return [201, { kind: 'Status', status: 'Success' }];
  }

  #review(body: Json): Json {
    const { verb, resource, subresource } = body.spec.resourceAttributes;
    const asked = `${verb} ${subresource === undefined ? resource : `${resource}/${subresource}`}`;
    return { ...body, metadata: {}, status: { allowed: !this.#denied.has(asked) } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    rmSync(this.folder, { recursive: true, force: true });
    await Promise.resolve();
  }
}

const revision = { 'deployment.kubernetes.io/revision': '1' };

function isReady({ status }: Json): boolean {
  return status.conditions?.some((each: Json) => each.type === 'Ready' && each.status === 'True') === true;
}

/** The call as a Role names it. */
function toCall(method: string, pathname: string): string {
  const discovered = /^\/apis\/(policy|autoscaling)\/?$/.exec(pathname);
  if (discovered !== null) return `discover ${discovered[1]}`;
  const parts = pathname.split('/').filter((part) => part !== '');
  const [resource = '', name, subresource] = parts.includes('namespaces')
    ? parts.slice(parts.indexOf('namespaces') + 2)
    : parts.slice(-1);
  const verbs: Record<string, string> = { GET: name === undefined ? 'list' : 'get', POST: 'create', PATCH: 'patch' };
  return `${verbs[method]} ${subresource === undefined ? resource : `${resource}/${subresource}`}`;
}

function page(items: readonly Json[], url: URL): Json {
  const limit = Number(url.searchParams.get('limit'));
  const from = Number(url.searchParams.get('continue') ?? 0);
  const next = from + limit < items.length ? { continue: String(from + limit) } : {};
  return { ...listed, metadata: next, items: items.slice(from, from + limit) };
}

function failure(code: number, reason: string, message: string): Json {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code };
}

function forbidden(call: string): Json {
  const [verb, resource] = call.split(' ');
  const message = `x is forbidden: User "system:serviceaccount:forged:switchyard" cannot ${verb} resource "${resource}" in API group ""`;
  return failure(403, 'Forbidden', message);
}

function send(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function answerWithFault(fault: ApiFault, response: ServerResponse): void {
  switch (fault) {
    case 'hang':
      return;
    case 'half':
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"items": [');
      return;
    case 'unintelligible':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"items": [}');
      return;
    case 'not_an_object':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"items": 7, "metadata": {"name": 7}}');
      return;
    case 'unauthorized':
      return send(response, 401, failure(401, 'Unauthorized', 'Unauthorized'));
    default:
      response
        .writeHead(503, { 'content-type': 'application/json', 'retry-after': '7' })
        .end('{"message": "etcd is away"}');
  }
}

function makeCertificate(folder: string): { readonly key: string; readonly certificate: string } {
  const [key, certificate] = [path.join(folder, 'server.key'), path.join(folder, 'server.crt')];
  const subject = ['-subj', '/CN=forged', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      ...subject,
      ...files,
    ],
    {
      stdio: 'ignore',
    },
  );
  return { key: readFileSync(key, 'utf8'), certificate: readFileSync(certificate, 'utf8') };
}
