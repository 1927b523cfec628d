// The changes of a story as a patch, read when they are asked for.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { storyDiffQuery, type Run, type Story } from '../../data/runs/runs.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { Button } from '../../parts/controls/button.tsx';
import { parsePatch, type PatchFile } from '../../text/patch/patch.ts';
import { runWords as words } from '../../words/runs/en-runs.ts';

export function StoryChanges({ run, story }: { readonly run: Run; readonly story: Story }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-labelledby="story-changes" className="mt-5 pb-8">
      <h3 id="story-changes" className="mb-1 font-semibold">
        {words.changes}
      </h3>
      {story.iteration === 0 && story.commit === null ? (
        <p className="text-sm text-soft">{words.noChanges}</p>
      ) : isOpen ? (
        <Changes run={run} story={story} />
      ) : (
        <Button onClick={() => setOpen(true)}>{words.showChanges}</Button>
      )}
    </section>
  );
}

function Changes({ run, story }: { readonly run: Run; readonly story: Story }): ReactNode {
  const query = useQuery(storyDiffQuery(run.run_id, story.story_id));
  return (
    <Answer query={query}>
      {(patch) =>
        patch.trim() === '' ? <p className="text-sm text-soft">{words.noChanges}</p> : <Patch patch={patch} />
      }
    </Answer>
  );
}

function Patch({ patch }: { readonly patch: string }): ReactNode {
  const files = useMemo(() => parsePatch(patch), [patch]);
  return (
    <ul className="grid gap-3">
      {files.map((file) => (
        <li key={file.path} className="min-w-0 border border-line">
          <p className="flex items-baseline gap-3 border-b border-line bg-sunk px-2 py-1 text-sm">
            <span className="min-w-0 truncate font-mono">
              <FreeText text={file.path} />
            </span>
            <span className="ms-auto whitespace-nowrap text-soft">{words.fileLines(file.added, file.removed)}</span>
          </p>
          <FileLines file={file} />
        </li>
      ))}
    </ul>
  );
}

const linesAtOnce = 1_000;
const signs = { insert: '+', delete: '−', normal: ' ' } as const;
const grounds = { insert: 'bg-add', delete: 'bg-del', normal: '' } as const;

function FileLines({ file }: { readonly file: PatchFile }): ReactNode {
  const [shown, setShown] = useState(linesAtOnce);
  const changes = file.hunks.flatMap((hunk) => hunk.changes);
  if (file.isBinary) return <p className="px-2 py-1 text-sm text-soft">{words.binary}</p>;
  return (
    <>
      <pre
        tabIndex={0}
        role="region"
        aria-label={words.patchOf(file.path)}
        className="overflow-x-auto font-mono text-mono"
      >
        {changes.slice(0, shown).map((change, index) => (
          <span key={index} className={`block w-max min-w-full px-2 ${grounds[change.type]}`}>
            <span aria-hidden className="me-2 text-soft select-none">
              {signs[change.type]}
            </span>
            {change.content}
          </span>
        ))}
      </pre>
      {shown < changes.length ? (
        <Button kind="quiet" onClick={() => setShown(shown + linesAtOnce)}>
          {words.moreLines(changes.length - shown)}
        </Button>
      ) : null}
    </>
  );
}
