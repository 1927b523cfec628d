// The artifacts of a task, their content, and their download.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/api.ts';
import type { AnswerOf } from '../../api/answer-of.ts';
import { saveBlob } from '../../api/download.ts';
import { pictureTypeOf } from '../../text/picture-type.ts';

export type Artifact = AnswerOf<'tasks.artifacts'>['artifacts'][number];

export type ArtifactContent =
  | { readonly kind: 'picture'; readonly picture: Blob }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'binary' };

export function artifactsQuery(id: string) {
  return queryOptions({
    queryKey: ['task', id, 'artifacts'],
    queryFn: async () =>
      (await dataOf(api().GET('/v1/agent/tasks/{id}/artifacts', { params: { path: { id } } }))).artifacts,
  });
}

/** The content as it is shown. Its bytes decide whether it is a picture, not its type. */
export function artifactContentQuery(id: string, artifactId: string) {
  return queryOptions({
    queryKey: ['task', id, 'artifacts', artifactId],
    queryFn: async (): Promise<ArtifactContent> => {
      const { text, data, bytes, uri } = await readArtifact(id, artifactId);
      if (bytes !== undefined) {
        const content = bytesOf(bytes);
        const type = pictureTypeOf(new Uint8Array(content));
        return type === undefined ? { kind: 'binary' } : { kind: 'picture', picture: new Blob([content], { type }) };
      }
      return data === undefined ? { kind: 'text', text: text ?? uri ?? '' } : { kind: 'data', data };
    },
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

async function readArtifact(id: string, artifact_id: string): Promise<AnswerOf<'tasks.artifact'>['artifact']> {
  const params = { path: { id, artifact_id } };
  return (await dataOf(api().GET('/v1/agent/tasks/{id}/artifacts/{artifact_id}', { params }))).artifact;
}

async function readContent(id: string, artifactId: string): Promise<{ blob: Blob; isBinary: boolean }> {
  const { text, data, bytes, uri } = await readArtifact(id, artifactId);
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
