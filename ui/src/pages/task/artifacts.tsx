// The artifacts of a task: each is saved as a file, and shown where it is text, data or a picture.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import {
  artifactContentQuery,
  artifactsQuery,
  downloadArtifact,
  type Artifact,
  type ArtifactContent,
} from '../../data/tasks/artifacts.ts';
import { Button } from '../../parts/controls/button.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { notifyError } from '../../parts/states/notices.tsx';
import { LineBlock } from '../../parts/task/line-block.tsx';
import { cleanText } from '../../text/clean.ts';
import { number } from '../../words/catalogue.ts';
import { taskPageWords as words } from '../../words/tasks/en-task-page.ts';

export function Artifacts({ taskId }: { readonly taskId: string }): ReactNode {
  const query = useQuery(artifactsQuery(taskId));
  return (
    <Answer query={query}>
      {(artifacts) =>
        artifacts.length === 0 ? (
          <p className="text-soft">{words.noArtifacts}</p>
        ) : (
          <ul className="border-t border-line">
            {artifacts.map((artifact) => (
              <ArtifactRow key={artifact.artifact_id} taskId={taskId} artifact={artifact} />
            ))}
          </ul>
        )
      }
    </Answer>
  );
}

/** A larger one is saved as a file alone. */
const mostShownBytes = 10 * 1024 * 1024;

function ArtifactRow({ taskId, artifact }: { readonly taskId: string; readonly artifact: Artifact }): ReactNode {
  const [isShown, setShown] = useState(false);
  const { artifact_id, name, mime_type, size } = artifact;
  return (
    <li className="border-b border-line py-1">
      <div className="flex flex-wrap items-center gap-x-3">
        <span className="min-w-0 font-semibold break-words">
          <FreeText text={name} />
        </span>
        <span className="text-sm text-soft">
          <FreeText text={mime_type} /> · {words.bytes(number(size))}
        </span>
        <span className="ms-auto flex gap-1">
          {size > mostShownBytes ? null : (
            <Button kind="quiet" pressed={isShown} onClick={() => setShown(!isShown)}>
              {words.show}
            </Button>
          )}
          <Button kind="quiet" onClick={() => void downloadArtifact(taskId, artifact_id).catch(notifyError)}>
            {words.download}
          </Button>
        </span>
      </div>
      {isShown ? <Shown taskId={taskId} artifact={artifact} /> : null}
    </li>
  );
}

function Shown({ taskId, artifact }: { readonly taskId: string; readonly artifact: Artifact }): ReactNode {
  const query = useQuery(artifactContentQuery(taskId, artifact.artifact_id));
  return (
    <div className="py-2">
      <Answer query={query} rows={3}>
        {(content) => <Content content={content} name={artifact.name} />}
      </Answer>
    </div>
  );
}

const shownCharacters = 20_000;

function Content({ content, name }: { readonly content: ArtifactContent; readonly name: string }): ReactNode {
  switch (content.kind) {
    case 'picture':
      return <Picture picture={content.picture} name={name} />;
    case 'data':
      return <JsonTree value={content.data} />;
    case 'text':
      return (
        <>
          <LineBlock label={name} text={cleanText(content.text.slice(0, shownCharacters))} />
          {content.text.length > shownCharacters ? <p className="text-sm text-soft">{words.cutText}</p> : null}
        </>
      );
    case 'binary':
      return <p className="text-sm text-soft">{words.binary}</p>;
  }
}

/** Its bytes are those of a picture, and it is drawn from memory: nothing is asked for. */
function Picture({ picture, name }: { readonly picture: Blob; readonly name: string }): ReactNode {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(picture);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return address === undefined ? null : (
    <img src={address} alt={words.pictureOf(name)} className="max-h-[60vh] max-w-full border border-line bg-sunk" />
  );
}
