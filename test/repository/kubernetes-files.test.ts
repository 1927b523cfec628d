// The files of deploy/kubernetes: they parse, fit each other, name only known settings, and hold no secret.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { neededPermissions } from '../../src/adapters/kubernetes/permissions.ts';
import { serviceSettingRows } from '../../src/server/config/setting-table.ts';
import { workerSettingRows } from '../../src/worker/settings/settings-table.ts';
import {
  componentNames,
  deployFolder,
  findKustomize,
  kubernetesFiles,
  readObjects,
  renderFolder,
  renderObjects,
  type KubernetesObject,
} from '../support/deploy/kubernetes-files.ts';

const { version } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8'));
const base = (file: string): KubernetesObject => readObjects(`base/${file}.yaml`)[0];
const deployment = base('deployment');
const job = base('migrate-job');
const [worker] = readObjects('components/worker/worker.yaml');
const pods: Record<string, KubernetesObject> = {
  service: deployment.spec.template.spec,
  migrate: job.spec.template.spec,
  worker: worker.spec.template.spec,
};
const containersOf = (pod: KubernetesObject): KubernetesObject[] => [...(pod.initContainers ?? []), ...pod.containers];
const allObjects = kubernetesFiles()
  .filter((file) => !file.endsWith('kustomization.yaml'))
  .flatMap((file) => readObjects(file));

describe('the base', () => {
  it('[platform-2.1] has an account with its Role, a migration, a Deployment, a Service and a disruption budget', () => {
    const [kustomization] = readObjects('base/kustomization.yaml');
    const kinds = kustomization.resources.map((file: string) => readObjects(`base/${file}`)[0].kind);
    expect(kinds).toEqual([
      'ServiceAccount',
      'Role',
      'RoleBinding',
      'Job',
      'Deployment',
      'Service',
      'PodDisruptionBudget',
    ]);
  });

  it('[platform-1.6.1] grants the permissions that the cluster manager needs, and no others', () => {
    const granted = base('role').rules.flatMap((rule: KubernetesObject) =>
      rule.resources.map((resource: string) => ({
        group: rule.apiGroups[0],
        resource,
        verbs: rule.verbs,
        named: rule.resourceNames !== undefined,
      })),
    );
    expect(granted).toEqual(neededPermissions);
    const names = base('role').rules.flatMap(({ resourceNames = [] }: KubernetesObject) => resourceNames);
    expect(new Set(names)).toEqual(new Set([deployment.metadata.name]));
    expect(base('role-binding')).toMatchObject({
      roleRef: { kind: 'Role', name: base('role').metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: base('service-account').metadata.name }],
    });
    expect(pods['service'].serviceAccountName).toBe(base('service-account').metadata.name);
  });

  it('[platform-2.3] asks for readiness with the database, and for life without it', () => {
    const [service] = pods['service'].containers;
    const paths = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) => service[probe].httpGet.path);
    expect(paths).toEqual(['/health?ready', '/health?ready', '/health']);
    // A proxy sees the replica as not ready before it stops serving, and the pod lives until it has stopped.
    const { periodSeconds, failureThreshold } = service.readinessProbe;
    const drain = Number(service.env.find(({ name }: KubernetesObject) => name === 'DRAIN_SECONDS').value);
    expect(periodSeconds * failureThreshold).toBeLessThan(drain);
    expect(pods['service'].terminationGracePeriodSeconds).toBeGreaterThan(drain + 20);
  });

  it('[platform-2.5, platform-2.6] lets pods wait for a migrated database', () => {
    const [wait] = pods['service'].initContainers;
    expect([wait.args, wait.image]).toEqual([['db', 'status', '--wait', '600'], pods['service'].containers[0].image]);
  });

  it('[choices-1.52] has a migration and images of this version, and a container of this name', () => {
    expect(pods['service'].containers.map(({ name }: KubernetesObject) => name)).toEqual(['switchyard']);
    expect(job.metadata.name).toBe(`switchyard-migrate-${version}`);
    const images = Object.values(pods).flatMap((pod) => containersOf(pod).map(({ image }) => image));
    expect(new Set(images)).toEqual(new Set([`switchyard:${version}`]));
  });

  it('[platform-2.8] lets an unhealthy pod go although another one is away', () => {
    expect(base('disruption-budget').spec).toMatchObject({
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    });
  });
});

describe('every pod', () => {
  it.each(Object.entries(pods))(
    '[platform-2.2] of %s runs as nobody special on a root that cannot be written',
    (_, pod) => {
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(pod.enableServiceLinks).toBe(false);
      for (const container of containersOf(pod)) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources).toMatchObject({
          requests: { cpu: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
        const volumes = new Set(pod.volumes.map(({ name }: KubernetesObject) => name));
        for (const { name } of container.volumeMounts) expect(volumes).toContain(name);
      }
      for (const { emptyDir } of pod.volumes)
        if (emptyDir !== undefined) expect(emptyDir.sizeLimit).toMatch(/^\d+[MG]i$/);
    },
  );

  it('[platform-2.4] gets secrets as files, and the address of the owner in the migration alone', () => {
    for (const [name, pod] of Object.entries(pods)) {
      for (const { env = [], volumeMounts } of containersOf(pod)) {
        expect(env.filter(({ valueFrom }: KubernetesObject) => valueFrom?.secretKeyRef !== undefined)).toEqual([]);
        // Each file that a variable names lies in a mounted secret.
        for (const variable of env.filter((each: KubernetesObject) => each.name.endsWith('_FILE'))) {
          expect(
            volumeMounts.some(({ mountPath }: KubernetesObject) => variable.value.startsWith(`${mountPath}/`)),
          ).toBe(true);
        }
      }
      const secrets = pod.volumes.flatMap(({ secret }: KubernetesObject) => secret?.secretName ?? []);
      expect(secrets.includes('switchyard-migration')).toBe(name === 'migrate');
    }
    expect(pods['migrate'].automountServiceAccountToken).toBe(false);
    expect(pods['worker'].automountServiceAccountToken).toBe(false);
  });

  it('[platform-2.9] is set by names that the programs know', () => {
    const service = Object.keys(serviceSettingRows).flatMap((name) => [
      name.toUpperCase(),
      `${name.toUpperCase()}_FILE`,
    ]);
    const known: Record<string, readonly string[]> = {
      service,
      migrate: service,
      worker: Object.values(workerSettingRows).flatMap(({ env }) => env ?? []),
    };
    for (const [name, pod] of Object.entries(pods)) {
      const names = containersOf(pod).flatMap(({ env = [] }) => env.map((each: KubernetesObject) => each.name));
      expect(names.filter((each: string) => !known[name]?.includes(each))).toEqual([]);
    }
    const [example] = readObjects('example/kustomization.yaml');
    const literals = example.configMapGenerator[0].literals.map((literal: string) => literal.split('=')[0]);
    expect(literals.filter((each: string) => !service.includes(each))).toEqual([]);
  });
});

describe('the files', () => {
  it('[platform-2.9] are each part of a kustomization, and hold no secret', () => {
    for (const file of kubernetesFiles()) {
      const folder = path.dirname(file);
      const [kustomization] = readObjects(path.join(folder, 'kustomization.yaml'));
      const listed = [
        ...(kustomization.resources ?? []),
        ...(kustomization.patches ?? []).map((each: KubernetesObject) => each.path),
      ];
      if (!file.endsWith('kustomization.yaml')) expect(listed).toContain(path.basename(file));
    }
    expect(allObjects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    for (const file of kubernetesFiles()) {
      expect(readFileSync(path.join(deployFolder, file), 'utf8')).not.toMatch(/postgres(ql)?:\/\/|BEGIN .*KEY|whsec_/);
    }
  });

  it('[platform-2.9] select pods that exist', () => {
    const labels = [deployment, job, worker].map(({ spec }) => spec.template.metadata.labels);
    const selectors = [
      deployment.spec.selector.matchLabels,
      worker.spec.selector.matchLabels,
      base('service').spec.selector,
      base('disruption-budget').spec.selector.matchLabels,
      readObjects('components/network-policy/network-policy.yaml')[0].spec.podSelector.matchLabels,
      ...readObjects('components/spread/spread.yaml')[0].spec.template.spec.topologySpreadConstraints.map(
        ({ labelSelector }: KubernetesObject) => labelSelector.matchLabels,
      ),
    ];
    for (const selector of selectors) {
      const matches = labels.filter((each) => Object.entries(selector).every(([name, value]) => each[name] === value));
      expect(matches.length).toBeGreaterThan(0);
    }
    // The migration serves nobody, and is not counted by the budget.
    for (const selector of selectors.slice(0, 4)) {
      const { labels: own } = job.spec.template.metadata;
      expect(Object.entries(selector).every(([name, value]) => own[name] === value)).toBe(false);
    }
    const ports = deployment.spec.template.spec.containers[0].ports.map(({ name }: KubernetesObject) => name);
    for (const { targetPort } of base('service').spec.ports) expect(ports).toContain(targetPort);
  });
});

const kustomize = findKustomize();
describe.runIf(kustomize !== undefined)('kustomize', () => {
  const program = kustomize ?? '';
  const render = (components: readonly string[]) => renderObjects(program, components, 'rendered');
  const find = (objects: readonly KubernetesObject[], kind: string) => objects.find((each) => each.kind === kind);

  it.each(componentNames)('[platform-2.11] builds the base with the component %s', (component) => {
    const objects = render([component]);
    expect(objects.filter(({ metadata }) => metadata.namespace !== 'rendered')).toEqual([]);
    const spec = find(objects, 'Deployment').spec;
    if (component === 'autoscale') expect(spec.replicas).toBeUndefined();
    if (component === 'spread') expect(spec.template.spec.topologySpreadConstraints).toHaveLength(2);
    if (component === 'tools') {
      expect(spec.template.spec.hostUsers).toBe(false);
      const { securityContext } = spec.template.spec.containers[0];
      expect(securityContext).toMatchObject({
        seccompProfile: { type: 'Unconfined' },
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('[platform-2.11] builds all of them together, and the example', () => {
    expect(
      render(componentNames)
        .map(({ kind }): string => kind)
        .toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual([
      'Deployment',
      'Deployment',
      'HorizontalPodAutoscaler',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Role',
      'Role',
      'RoleBinding',
      'RoleBinding',
      'Service',
      'ServiceAccount',
      'ServiceMonitor',
    ]);
    const example = renderFolder(program, path.join(deployFolder, 'example'));
    const image = `registry.example.com/switchyard:${version}`;
    expect(find(example, 'Job').spec.template.spec.containers[0].image).toBe(image);
    const settings = find(example, 'ConfigMap');
    expect(settings.metadata.name).toMatch(/^switchyard-settings-/);
    const [service] = find(example, 'Deployment').spec.template.spec.containers;
    expect(service.envFrom[0].configMapRef.name).toBe(settings.metadata.name);
    // Kustomize renames what has the name of a generated map, in a Role too.
    const rules = find(example, 'Role').rules.flatMap(({ resourceNames = [] }: KubernetesObject) => resourceNames);
    expect(new Set(rules)).toEqual(new Set(['switchyard']));
  });
});
