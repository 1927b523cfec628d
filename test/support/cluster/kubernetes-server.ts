// A real API server with its store and its controllers, on loopback ports of its own: killed, frozen and started again.
//
// There is no node: pods stay where they were created, and tests write their statuses as a kubelet would.
import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPeer } from '../peers/peer-program.ts';
import { freePort } from '../process/program.ts';
import { suspendProcess } from '../process/suspend-process.ts';
import { until } from '../until.ts';
import { askApi, type ApiAnswer } from './ask-api.ts';

interface Programs {
  readonly etcd: string;
  readonly apiserver: string;
  readonly manager: string;
}

/** As `findPeer` finds them. */
export function findKubernetes(): Programs | undefined {
  const etcd = findPeer({ name: 'etcd', variable: 'ETCD_BIN', programs: ['etcd'], aptPackage: 'etcd-server' });
  const [apiserver, manager] = ['kube-apiserver', 'kube-controller-manager'].map((program) =>
    findPeer({ name: program, variable: `${program.replaceAll('-', '_').toUpperCase()}_BIN`, programs: [program] }),
  );
  if (etcd === undefined || apiserver === undefined || manager === undefined) return undefined;
  return { etcd, apiserver, manager };
}

/** The service account that the service runs as, in whatever namespace. */
export const account = { namespace: 'switchyard-system', name: 'switchyard' };
const user = `system:serviceaccount:${account.namespace}:${account.name}`;
const groups = `system:serviceaccounts,system:authenticated`;
/** The first is the account's at the start; the second is valid too. */
export const accountTokens = ['account-token-one', 'account-token-two'] as const;
const adminToken = 'admin-token';

const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata', resources: [{ group: '', resources: ['pods/eviction'] }] }, { level: 'None' }],
};

export class KubernetesServer implements AsyncDisposable {
  readonly port: number;
  readonly folder: string;
  readonly #programs: Programs;
  readonly #etcdPort: number;
  readonly #running = new Map<string, ChildProcess>();

  private constructor(programs: Programs, folder: string, ports: readonly [number, number]) {
    this.#programs = programs;
    this.folder = folder;
    [this.port, this.#etcdPort] = ports;
  }

  /** Resolves once it is ready and its controllers run. */
  static async start(programs: Programs): Promise<KubernetesServer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-kubernetes-'));
    const server = new KubernetesServer(programs, folder, [await freePort(), await freePort()]);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const tokens = [
      `${adminToken},admin,admin,system:masters`,
      ...accountTokens.map((token) => `${token},${user},${user},"${groups}"`),
    ];
    await Promise.all([
      writeFile(server.#file('account.key'), privateKey.export({ type: 'pkcs8', format: 'pem' })),
      writeFile(server.#file('tokens.csv'), `${tokens.join('\n')}\n`),
      writeFile(server.#file('audit.json'), JSON.stringify(auditPolicy)),
      writeFile(server.#file('manager.json'), JSON.stringify(server.#kubeconfig())),
    ]);
    await server.#startEtcd();
    await server.startApi();
    server.#startManager();
    return server;
  }

  #file(name: string): string {
    return path.join(this.folder, name);
  }

  #kubeconfig(): unknown {
    const cluster = { server: `https://127.0.0.1:${this.port}`, 'insecure-skip-tls-verify': true };
    return {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'one', cluster }],
      users: [{ name: 'admin', user: { token: adminToken } }],
      contexts: [{ name: 'one', context: { cluster: 'one', user: 'admin' } }],
      'current-context': 'one',
    };
  }

  async #startEtcd(): Promise<void> {
    const peerPort = await freePort();
    const url = `http://127.0.0.1:${this.#etcdPort}`;
    const peer = `http://127.0.0.1:${peerPort}`;
    this.#spawn('etcd', this.#programs.etcd, [
      '--data-dir',
      this.#file('etcd'),
      '--listen-client-urls',
      url,
      '--advertise-client-urls',
      url,
      '--listen-peer-urls',
      peer,
      '--initial-advertise-peer-urls',
      peer,
      '--initial-cluster',
      `default=${peer}`,
      '--unsafe-no-fsync',
    ]);
  }

  /** Starts the API server where it does not run. */
  async startApi(): Promise<void> {
    if (this.#running.has('apiserver')) return;
    const key = this.#file('account.key');
    const child = this.#spawn('apiserver', this.#programs.apiserver, [
      `--etcd-servers=http://127.0.0.1:${this.#etcdPort}`,
      `--cert-dir=${this.#file('certificates')}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${this.port}`,
      '--authorization-mode=RBAC',
      `--token-auth-file=${this.#file('tokens.csv')}`,
      `--service-account-key-file=${key}`,
      `--service-account-signing-key-file=${key}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--disable-admission-plugins=ServiceAccount',
      `--audit-policy-file=${this.#file('audit.json')}`,
      `--audit-log-path=${this.#file('audit.log')}`,
    ]);
    await until('the API server is ready', async () => {
      if (child.exitCode !== null) throw new Error(`the API server ended with ${child.exitCode}`);
      const answer = await this.ask('GET', '/readyz').catch(() => undefined);
      return answer?.status === 200;
    });
  }

  #startManager(): void {
    this.#spawn('manager', this.#programs.manager, [
      `--kubeconfig=${this.#file('manager.json')}`,
      '--controllers=deployment,replicaset,disruption',
      '--leader-elect=false',
      '--port=0',
      '--secure-port=0',
    ]);
  }

  #spawn(name: string, program: string, args: readonly string[]): ChildProcess {
    const child = spawn(program, args, { stdio: 'ignore' });
    this.#running.set(name, child);
    return child;
  }

  /** As the administrator. */
  ask(method: string, apiPath: string, body?: unknown, type?: string): Promise<ApiAnswer> {
    return askApi({ port: this.port, token: adminToken }, method, apiPath, body, type);
  }

  /** A folder as a cluster mounts it into a pod. */
  async mountAccount(name: string, namespace: string, token: string = accountTokens[0]): Promise<string> {
    const folder = this.#file(name);
    await mkdir(folder, { recursive: true });
    // Its own certificate is followed by that of the authority that it made for itself.
    await copyFile(this.#file('certificates/apiserver.crt'), path.join(folder, 'ca.crt'));
    await writeFile(path.join(folder, 'token'), `${token}\n`);
    await writeFile(path.join(folder, 'namespace'), namespace);
    return folder;
  }

  /** The pods whose eviction was asked for and answered with success, by the server's own record. */
  async evictions(namespace: string): Promise<string[]> {
    const text = await readFile(this.#file('audit.log'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .filter(({ objectRef, responseStatus }) => objectRef.namespace === namespace && responseStatus.code < 300)
      .map(({ objectRef }) => String(objectRef.name));
  }

  async killApi(): Promise<void> {
    await this.#kill('apiserver');
  }

  /** Its connections stay open and answer nothing. */
  async suspendApi(): Promise<void> {
    const pid = this.#running.get('apiserver')?.pid;
    if (pid !== undefined) await suspendProcess(pid);
  }

  resumeApi(): void {
    this.#running.get('apiserver')?.kill('SIGCONT');
  }

  async #kill(name: string): Promise<void> {
    const child = this.#running.get(name);
    this.#running.delete(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of ['manager', 'apiserver', 'etcd']) await this.#kill(name);
    await rm(this.folder, { recursive: true, force: true });
  }
}
