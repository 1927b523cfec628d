// Evicts a pod by its uid, in the version of the API that the server has.
import type { Eviction } from '../../domain/ports/cluster/cluster.ts';
import { call, expecting, find, type ApiContext } from './api-calls.ts';
import { toApiFailure } from './errors.ts';

export async function evict(
  context: ApiContext,
  { name, uid }: { readonly name: string; readonly uid: string },
): Promise<Eviction> {
  const { library, configuration, namespace } = context;
  const core = new library.CoreV1Api(configuration);
  // The server tries an eviction of another pod of this name for ten seconds before it says so.
  const current = await find(context, { verb: 'get', resource: 'pods', name }, () =>
    core.readNamespacedPod({ name, namespace }),
  );
  if (current?.metadata?.uid !== uid) return 'gone';
  const facts = { verb: 'create', resource: 'pods/eviction', name };
  // Before Kubernetes 1.22 an eviction of policy/v1 is a bad request.
  const group = await expecting(
    context,
    facts,
    () => new library.PolicyApi(configuration).getAPIGroup(),
    ({ code }) => code === 404,
  );
  const hasV1 = group?.versions.some(({ version }) => version === 'v1') ?? true;
  const body = {
    apiVersion: hasV1 ? 'policy/v1' : 'policy/v1beta1',
    kind: 'Eviction',
    metadata: { name, namespace },
    deleteOptions: { preconditions: { uid } },
  };
  return call(context, facts, async () => {
    try {
      await core.createNamespacedPodEviction({ name, namespace, body });
      return 'evicted';
    } catch (error) {
      const code = toApiFailure(error)?.code;
      // A budget, or a change of it that the server still processes.
      if (code === 429) return 'blocked';
      // The pod is gone, or another one has its name.
      if (code === 404 || code === 409) return 'gone';
      throw error;
    }
  });
}
