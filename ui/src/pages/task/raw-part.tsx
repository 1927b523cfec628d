// The task as the service stores it: JSON, events, artifacts with download.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { saveBlob } from '../../api/download.ts';
import { taskEventsQuery } from '../../data/task-events.ts';
import type { Task } from '../../data/tasks.ts';
import { Button } from '../../parts/controls/button.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { notifyError } from '../../parts/states/notices.tsx';
import { number } from '../../words/catalogue.ts';
import { taskPageWords as words } from '../../words/en-task-page.ts';

export function RawPart({ task }: { readonly task: Task }): ReactNode {
  const events = useQuery(taskEventsQuery(task.id));
  return (
    <div className="grid gap-5 p-(--page)">
      <section>
        <h2 className="mb-2 font-semibold">{words.artifacts}</h2>
        <Artifacts task={task} />
      </section>
      <section>
        <h2 className="mb-2 font-semibold">{words.json}</h2>
        <JsonTree value={task} />
      </section>
      <section>
        <h2 className="mb-2 font-semibold">{words.events}</h2>
        <Answer query={events}>{(all) => <JsonTree value={all} />}</Answer>
      </section>
    </div>
  );
}

function Artifacts({ task }: { readonly task: Task }): ReactNode {
  const query = useQuery({
    queryKey: ['task', task.id, 'artifacts'],
    queryFn: async () =>
      (await dataOf(api().GET('/v1/agent/tasks/{id}/artifacts', { params: { path: { id: task.id } } }))).artifacts,
  });
  return (
    <Answer query={query}>
      {(artifacts) =>
        artifacts.length === 0 ? (
          <p className="text-soft">{words.noArtifacts}</p>
        ) : (
          <ul className="grid gap-1">
            {artifacts.map((artifact) => (
              <li key={artifact.artifact_id} className="flex flex-wrap items-center gap-3">
                <FreeText text={artifact.name} />
                <span className="text-sm text-soft">
                  {artifact.mime_type} · {number(artifact.size)}
                </span>
                <Button kind="quiet" onClick={() => void download(task.id, artifact.artifact_id).catch(notifyError)}>
                  {words.download}
                </Button>
              </li>
            ))}
          </ul>
        )
      }
    </Answer>
  );
}

/** Saves an artifact under a name of ours. */
async function download(id: string, artifact_id: string): Promise<void> {
  const path = { id, artifact_id };
  const { artifact } = await dataOf(api().GET('/v1/agent/tasks/{id}/artifacts/{artifact_id}', { params: { path } }));
  const { text, data, bytes, uri } = artifact;
  const content =
    bytes === undefined ? (text ?? (data === undefined ? (uri ?? '') : JSON.stringify(data, null, 2))) : bytesOf(bytes);
  saveBlob(`artifact-${artifact_id.slice(0, 8)}.${bytes === undefined ? 'txt' : 'bin'}`, new Blob([content]));
}

function bytesOf(base64: string): ArrayBuffer {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.codePointAt(index) ?? 0;
  return bytes.buffer;
}
