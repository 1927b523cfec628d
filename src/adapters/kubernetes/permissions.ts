// The permissions that the cluster manager needs, and which of them the service account lacks. The Role in
// deploy/kubernetes/base grants exactly these; a test compares them.
import { call, type ApiContext } from './api-calls.ts';

export interface NeededPermission {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Granted for the one Deployment only. */
  readonly named: boolean;
}

export const neededPermissions: readonly NeededPermission[] = [
  { group: '', resource: 'pods', verbs: ['get', 'list'], named: false },
  { group: '', resource: 'pods/eviction', verbs: ['create'], named: false },
  { group: 'apps', resource: 'replicasets', verbs: ['get', 'list'], named: false },
  { group: 'apps', resource: 'deployments', verbs: ['get', 'patch'], named: true },
  { group: 'apps', resource: 'deployments/scale', verbs: ['get', 'patch'], named: true },
  { group: 'autoscaling', resource: 'horizontalpodautoscalers', verbs: ['list'], named: false },
];

/** A service account may ask this of itself without a rule of its own. */
export async function missingPermissions(context: ApiContext, deployment: string): Promise<string[]> {
  const { library, configuration, namespace } = context;
  const api = new library.AuthorizationV1Api(configuration);
  const questions = neededPermissions.flatMap(({ verbs, ...needed }) => verbs.map((verb) => ({ ...needed, verb })));
  const facts = { verb: 'create', resource: 'selfsubjectaccessreviews' };
  const answers = await Promise.all(
    questions.map(({ group, resource: path, verb, named }) =>
      call(context, facts, async () => {
        const [resource, subresource] = path.split('/');
        const resourceAttributes = {
          namespace,
          group,
          resource,
          verb,
          ...(subresource === undefined ? {} : { subresource }),
          ...(named ? { name: deployment } : {}),
        };
        const body = {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: { resourceAttributes },
        };
        const { status } = await api.createSelfSubjectAccessReview({ body });
        return status?.allowed === true ? [] : [`${verb} ${path}`];
      }),
    ),
  );
  return answers.flat();
}
