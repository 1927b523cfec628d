// The noun flow: something that the documents say a user can do, and the deployments in which it is walked.

/**
 * `embedded`: one `switchyard serve` with its own database. `replicas`: two of them on one PostgreSQL database.
 * `local`: `switchyard up`, as `npm start` runs it.
 */
export type DeploymentName = 'embedded' | 'replicas' | 'local';

export interface Flow {
  readonly id: string;
  /** The place that it restates, such as `core-3.4`. */
  readonly document: string;
  readonly sentence: string;
  readonly deployments: readonly DeploymentName[];
}

/** The flows of one place in the documents: `sentences` maps id to sentence. */
export function flows(
  document: string,
  deployments: readonly DeploymentName[],
  sentences: Readonly<Record<string, string>>,
): Flow[] {
  return Object.entries(sentences).map(([id, sentence]) => ({ id, document, sentence, deployments }));
}

export const everywhere: readonly DeploymentName[] = ['embedded', 'replicas'];

/**
 * Flows that show nothing new on `embedded`: their calls go to both replicas in turn, and the database is the same
 * PostgreSQL. What depends on the lone service, on its own database or on its restarts is walked `everywhere`.
 */
export const acrossReplicas: readonly DeploymentName[] = ['replicas'];
