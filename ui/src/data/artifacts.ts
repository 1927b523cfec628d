// The artifacts of a task, and their download.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../api/api.ts';
import { saveBlob } from '../api/download.ts';

export function artifactsQuery(id: string) {
  return queryOptions({
    queryKey: ['task', id, 'artifacts'],
    queryFn: async () =>
      (await dataOf(api().GET('/v1/agent/tasks/{id}/artifacts', { params: { path: { id } } }))).artifacts,
  });
}

/** Saves the newest diff of a task, or that of one attempt, as it was made. @returns false without a diff */
export async function downloadDiff(id: string, runId: string | undefined): Promise<boolean> {
  const params = { path: { id }, query: { ...(runId !== undefined && { run_id: runId }) } };
  const { artifacts } = await dataOf(api().GET('/v1/agent/tasks/{id}/artifacts', { params }));
  const diff = artifacts.findLast(({ name }) => name === 'diff');
  if (diff === undefined) return false;
  saveBlob(`task-${id.slice(-8)}.diff`, (await readContent(id, diff.artifact_id)).blob);
  return true;
}

/** Saves an artifact under a name of ours. */
export async function downloadArtifact(id: string, artifactId: string): Promise<void> {
  const { blob, isBinary } = await readContent(id, artifactId);
  saveBlob(`artifact-${artifactId.slice(0, 8)}.${isBinary ? 'bin' : 'txt'}`, blob);
}

async function readContent(id: string, artifact_id: string): Promise<{ blob: Blob; isBinary: boolean }> {
  const params = { path: { id, artifact_id } };
  const { artifact } = await dataOf(api().GET('/v1/agent/tasks/{id}/artifacts/{artifact_id}', { params }));
  const { text, data, bytes, uri } = artifact;
  const content =
    bytes === undefined ? (text ?? (data === undefined ? (uri ?? '') : JSON.stringify(data, null, 2))) : bytesOf(bytes);
  return { blob: new Blob([content]), isBinary: bytes !== undefined };
}

function bytesOf(base64: string): ArrayBuffer {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.codePointAt(index) ?? 0;
  return bytes.buffer;
}
