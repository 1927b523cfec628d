// The cluster behind its port: sessions of calls, the manifest, the place of this replica.
import type { Cluster } from '../../domain/ports/cluster/cluster.ts';
import type { ApiContext } from './api-calls.ts';
import { changeCalls } from './change-calls.ts';
import { KubernetesClient } from './client.ts';
import { tokenUnreadable } from './errors.ts';
import { readManifestFile } from './manifest-file.ts';
import { missingPermissions } from './permissions.ts';
import { readCalls } from './read-calls.ts';

export interface KubernetesOptions {
  readonly host: string;
  readonly port: number;
  readonly serviceAccountDir: string;
  readonly namespace: string;
  readonly pod: string;
  readonly manifestFile: string | undefined;
  /** In tests: another deadline than 5 seconds. */
  readonly deadlineMs?: number | undefined;
}

/** platform-1.5. */
const defaultDeadlineMs = 5_000;

/** Connects to nothing yet: the first session does. */
export function openKubernetes(options: KubernetesOptions): Cluster & AsyncDisposable {
  const { namespace, pod, manifestFile, deadlineMs = defaultDeadlineMs } = options;
  const client = new KubernetesClient({ ...options, deadlineMs });
  return {
    namespace,
    pod,
    async connect() {
      const session = await client.open().catch((error: unknown) => {
        throw tokenUnreadable(error);
      });
      const context: ApiContext = { ...session, namespace, deadlineMs };
      return {
        ...readCalls(context),
        ...changeCalls(context),
        missingPermissions: (deployment) => missingPermissions(context, deployment),
      };
    },
    readManifest: () => (manifestFile === undefined ? Promise.resolve(undefined) : readManifestFile(manifestFile)),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}
