// The file with the manifest of the Deployment that the cluster manager applies: one Deployment, YAML or JSON.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { DomainError } from '../../domain/model/errors.ts';
import type { Manifest } from '../../domain/ports/cluster/cluster.ts';
import { sha256 } from '../../lib/digest.ts';
import { ConfigFileError, readConfigMapping } from '../../lib/settings/file.ts';

const deployment = z.looseObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata: z.looseObject({ name: z.string().min(1), namespace: z.string().min(1).optional() }),
  spec: z.looseObject({}),
});

/** @throws DomainError conflict `invalid_manifest` */
export async function readManifestFile(file: string): Promise<Manifest> {
  // The hash first: a file that changes between the two reads is applied once more.
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw invalidManifest(`${file} cannot be read`, cause);
  });
  const content = await readConfigMapping(file, 'kind: Deployment').catch((cause: unknown) => {
    if (cause instanceof ConfigFileError) throw invalidManifest(cause.message, cause);
    throw cause;
  });
  const parsed = deployment.safeParse(content);
  if (!parsed.success) throw invalidManifest(`${file} is not one Deployment of apps/v1 with a name and a spec`);
  const { name, namespace } = parsed.data.metadata;
  return { name, namespace, sha256: sha256(bytes, 'hex'), content: parsed.data };
}

function invalidManifest(what: string, cause?: unknown): DomainError {
  return new DomainError('conflict', 'invalid_manifest', `CLUSTER_MANIFEST_FILE cannot be applied: ${what}.`, {
    cause,
  });
}
