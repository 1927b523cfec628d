// A scene on the real API server: a namespace of its own, statuses written through the pods' status subresource.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { until } from '../until.ts';
import { patchTypes, type ApiAnswer } from './ask-api.ts';
import { account, type KubernetesServer } from './kubernetes-server.ts';
import { podStatus } from './pod-status.ts';
import type { PodState, Scene } from './scene.ts';

const roleFile = path.resolve(import.meta.dirname, '../../../deploy/kubernetes/base/role.yaml');
let made = 0;

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** The rules of the Role that the deployment files grant. */
function roleRules(): Rule[] {
  const [role] = parseAllDocuments(readFileSync(roleFile, 'utf8')).map((document) => document.toJS());
  return role.rules;
}

export async function openRealScene(server: KubernetesServer, replicas: number): Promise<RealScene> {
  made += 1;
  const scene = new RealScene(server, `scene-${made}`);
  await scene.build(replicas);
  return scene;
}

export class RealScene implements Scene {
  readonly namespace: string;
  readonly deployment = 'switchyard';
  readonly #server: KubernetesServer;
  #rules: Rule[] = roleRules();
  #accountDir = '';

  constructor(server: KubernetesServer, namespace: string) {
    this.#server = server;
    this.namespace = namespace;
  }

  get connection() {
    const { port } = this.#server;
    return { host: '127.0.0.1', port, serviceAccountDir: this.#accountDir, podNamespace: undefined };
  }

  async build(replicas: number): Promise<void> {
    const { namespace } = this;
    this.#accountDir = await this.#server.mountAccount(`account-${namespace}`, namespace);
    await this.must('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    await this.must('POST', this.#rbac('roles'), { metadata: { name: 'switchyard' }, rules: this.#rules });
    await this.must('POST', this.#rbac('rolebindings'), {
      metadata: { name: 'switchyard' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'switchyard' },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    });
    if (replicas === 0) return;
    await this.must('POST', this.#apps('deployments'), deploymentOf(this.deployment, replicas));
    await until(`${replicas} pods`, async () => (await this.pods()).length === replicas);
    await this.heal();
  }

  /** @throws where the server does not take it */
  async must(method: string, apiPath: string, body?: unknown, type?: string): Promise<ApiAnswer['body']> {
    const answer = await this.#server.ask(method, apiPath, body, type);
    if (answer.status >= 300) throw new Error(`${method} ${apiPath}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  #apps(rest: string): string {
    return `/apis/apps/v1/namespaces/${this.namespace}/${rest}`;
  }

  #core(rest: string): string {
    return `/api/v1/namespaces/${this.namespace}/${rest}`;
  }

  #rbac(rest: string): string {
    return `/apis/rbac.authorization.k8s.io/v1/namespaces/${this.namespace}/${rest}`;
  }

  async readDeployment(): Promise<ApiAnswer['body']> {
    return this.must('GET', this.#apps(`deployments/${this.deployment}`));
  }

  async patchDeployment(patch: unknown): Promise<void> {
    await this.must('PATCH', this.#apps(`deployments/${this.deployment}`), patch, patchTypes.merge);
  }

  async #listPods(): Promise<ApiAnswer['body'][]> {
    const { items } = await this.must('GET', this.#core('pods'));
    return items.filter((pod: ApiAnswer['body']) => pod.metadata.deletionTimestamp === undefined);
  }

  async pods(): Promise<string[]> {
    return (await this.#listPods()).map(({ metadata }) => String(metadata.name)).toSorted();
  }

  async setPod(name: string, state: PodState): Promise<void> {
    await this.#writeStatus(name, state);
    await this.#settled();
  }

  async heal(): Promise<void> {
    await until('every pod is ready', async () => {
      const pods = await this.#listPods();
      const ill = pods.filter((pod) => !isReady(pod));
      // A controller may delete a pod between the two calls.
      for (const { metadata } of ill) await this.#writeStatus(metadata.name, 'ready').catch(() => undefined);
      return ill.length === 0 && pods.length === (await this.replicas());
    });
    await this.#settled();
    await until('the rollout has ended', async () => {
      const { status } = await this.readDeployment();
      const progress = status.conditions?.find((each: ApiAnswer['body']) => each.type === 'Progressing');
      return progress?.reason === 'NewReplicaSetAvailable';
    });
  }

  async #writeStatus(name: string, state: PodState): Promise<void> {
    await this.must('PATCH', this.#core(`pods/${name}/status`), { status: podStatus(state) }, patchTypes.merge);
  }

  /** The controllers have seen what the pods are. */
  async #settled(): Promise<void> {
    await until('the Deployment counts its ready pods', async () => {
      const pods = await this.#listPods();
      const ready = pods.filter(isReady);
      const { status } = await this.readDeployment();
      return (status.readyReplicas ?? 0) === ready.length;
    });
  }

  async deny(verb: string, resource: string): Promise<void> {
    this.#rules = this.#rules.flatMap((rule) => {
      if (!rule.resources.includes(resource)) return [rule];
      const others = rule.resources.filter((each) => each !== resource);
      const left = rule.verbs.filter((each) => each !== verb);
      return [
        ...(others.length === 0 ? [] : [{ ...rule, resources: others }]),
        ...(left.length === 0 ? [] : [{ ...rule, resources: [resource], verbs: left }]),
      ];
    });
    await this.must('PATCH', this.#rbac('roles/switchyard'), { rules: this.#rules }, patchTypes.merge);
  }

  /** Gives the Role its rules back. */
  async allowAll(): Promise<void> {
    this.#rules = roleRules();
    await this.must('PATCH', this.#rbac('roles/switchyard'), { rules: this.#rules }, patchTypes.merge);
  }

  async allow(rule: Rule): Promise<void> {
    this.#rules = [...this.#rules, rule];
    await this.must('PATCH', this.#rbac('roles/switchyard'), { rules: this.#rules }, patchTypes.merge);
  }

  async addAutoscaler({ min, max }: { readonly min: number; readonly max: number }): Promise<void> {
    await this.must('POST', `/apis/autoscaling/v1/namespaces/${this.namespace}/horizontalpodautoscalers`, {
      metadata: { name: 'by-load' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: this.deployment },
        minReplicas: min,
        maxReplicas: max,
      },
    });
  }

  get #budgets(): string {
    return `/apis/policy/v1beta1/namespaces/${this.namespace}/poddisruptionbudgets`;
  }

  async setBudget(minAvailable: number): Promise<void> {
    const selector = { matchLabels: { app: 'switchyard' } };
    await this.must('POST', this.#budgets, { metadata: { name: 'budget' }, spec: { minAvailable, selector } });
    await until('the budget is counted', async () => {
      const { status } = await this.must('GET', `${this.#budgets}/budget`);
      return status?.observedGeneration === 1 && status.expectedPods > 0;
    });
  }

  async removeBudget(): Promise<void> {
    await this.must('DELETE', `${this.#budgets}/budget`);
  }

  async replicas(): Promise<number> {
    return (await this.readDeployment()).spec.replicas;
  }

  async beginRollout(): Promise<void> {
    await this.patchDeployment({ spec: { template: { metadata: { annotations: { version: 'next' } } } } });
    await until('the rollout has begun', async () => {
      const { metadata, status } = await this.readDeployment();
      return status.observedGeneration === metadata.generation;
    });
  }

  evictions(): Promise<string[]> {
    return this.#server.evictions(this.namespace);
  }
}

function isReady({ status }: ApiAnswer['body']): boolean {
  return status.conditions?.some((each: ApiAnswer['body']) => each.type === 'Ready' && each.status === 'True') === true;
}

export function deploymentOf(name: string, replicas: number): Record<string, unknown> {
  const labels = { app: 'switchyard' };
  const container = { name: 'service', image: 'switchyard:1.2.0', ports: [{ containerPort: 8000, protocol: 'TCP' }] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}
