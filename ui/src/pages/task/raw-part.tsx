// The task as the service stores it: JSON, events, artifacts with download.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { artifactsQuery, downloadArtifact } from '../../data/artifacts.ts';
import { lastEventsQuery } from '../../data/task-events.ts';
import type { Task } from '../../data/tasks.ts';
import { Button } from '../../parts/controls/button.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { notifyError } from '../../parts/states/notices.tsx';
import { number } from '../../words/catalogue.ts';
import { taskPageWords as words } from '../../words/en-task-page.ts';

export function RawPart({ task }: { readonly task: Task }): ReactNode {
  const events = useQuery(lastEventsQuery(task.id));
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
  const query = useQuery(artifactsQuery(task.id));
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
                <Button
                  kind="quiet"
                  onClick={() => void downloadArtifact(task.id, artifact.artifact_id).catch(notifyError)}
                >
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
