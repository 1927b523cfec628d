// The patch of one file in one column of a comparison, to read.
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { HunkData } from 'react-diff-view';
import { readPatch, type FileChange } from '../../data/tasks/changes.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { parsePatch } from '../../text/patch/patch.ts';
import { changesWords } from '../../words/tasks/en-changes.ts';
import { compareWords as words } from '../../words/tasks/en-compare.ts';
import type { ComparedColumn } from './columns.ts';

const mostLines = 1_000;

export function ComparePatch({
  column,
  name,
  change,
}: {
  readonly column: ComparedColumn;
  readonly name: string;
  readonly change: FileChange | undefined;
}): ReactNode {
  const { task, attempt } = column;
  const runId = attempt?.run_id;
  const query = useQuery({
    queryKey: ['compared-patch', task.id, runId, change?.path, change?.hash],
    queryFn: () => (change === undefined ? '' : readPatch(task.id, runId, change)),
    enabled: change !== undefined,
  });
  return (
    <article aria-label={name} className="min-w-0 border border-line bg-paper">
      <h4 className="border-b border-line px-2 py-1 text-sm font-semibold">
        <FreeText text={name} />
      </h4>
      {change === undefined ? (
        <p className="p-2 text-soft">{words.noPatch}</p>
      ) : (
        <Answer query={query}>{(patch) => <Patch patch={patch} />}</Answer>
      )}
    </article>
  );
}

function Patch({ patch }: { readonly patch: string }): ReactNode {
  const file = useMemo(() => parsePatch(patch)[0], [patch]);
  if (file === undefined || file.hunks.length === 0) {
    return <p className="p-2 text-soft">{file?.isBinary === true ? words.binary : changesWords.noLines}</p>;
  }
  const all = file.hunks.reduce((sum, { changes }) => sum + changes.length, 0);
  return (
    <div dir="ltr" className="font-mono text-mono">
      {cutHunks(file.hunks).map((hunk, index) => (
        <Hunk key={index} hunk={hunk} />
      ))}
      {all > mostLines ? <p className="p-2 font-sans text-soft">{words.cut(all - mostLines)}</p> : null}
    </div>
  );
}

const signs = { insert: '+', delete: '−', normal: ' ' } as const;
const grounds = { insert: 'bg-add', delete: 'bg-del', normal: '' } as const;

function Hunk({ hunk }: { readonly hunk: HunkData }): ReactNode {
  return (
    <>
      <p className="truncate bg-sunk px-2 text-soft">{changesWords.hunk(hunk.newStart || hunk.oldStart)}</p>
      {hunk.changes.map((change, index) => (
        <div key={index} className={`flex ${grounds[change.type]}`}>
          <span className="w-[3ch] shrink-0 text-center text-soft select-none">{signs[change.type]}</span>
          <bdi className="min-w-0 break-all whitespace-pre-wrap">{change.content}</bdi>
        </div>
      ))}
    </>
  );
}

function cutHunks(hunks: readonly HunkData[]): readonly HunkData[] {
  let left = mostLines;
  return hunks.flatMap((hunk) => {
    if (left <= 0) return [];
    const changes = hunk.changes.slice(0, left);
    left -= changes.length;
    return [{ ...hunk, changes }];
  });
}
