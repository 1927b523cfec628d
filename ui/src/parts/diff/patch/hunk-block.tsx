// One block of a hunk: react-diff-view over at most 50 lines, with comments below their lines.
import { memo, useEffect, useMemo, useState, type ReactNode } from 'react';
import { Diff, getChangeKey, Hunk, type ChangeData, type GutterOptions } from 'react-diff-view';
import { lineOf, type HunkBlock } from '../../../text/patch/patch-units.ts';
import type { ChangesWords } from '../changes-words.ts';
import { keptTokens, syntaxTokensOf } from './highlight.ts';

export interface HunkBlockProps {
  readonly block: HunkBlock;
  readonly path: string;
  readonly isSplit: boolean;
  readonly isWrapped: boolean;
  readonly words: ChangesWords;
  /** Comments by the key of their line, as they are drawn below it. */
  readonly widgets: Record<string, ReactNode>;
  readonly selected: string[];
  readonly onComment: (path: string, side: 'old' | 'new', line: number, isRange: boolean) => void;
}

const noHover = {};

export const HunkBlockView = memo(function HunkBlockView(props: HunkBlockProps): ReactNode {
  const { block, path, isSplit, isWrapped, words, onComment } = props;
  const tokens = useTokens(block, path);
  const hunk = useMemo(
    () => (isSplit ? { ...block.hunk, changes: zipped(block.hunk.changes) } : block.hunk),
    [block, isSplit],
  );
  const renderGutter = useMemo(() => gutterOf(path, isSplit, words, onComment), [path, isSplit, words, onComment]);
  return (
    <div className={isWrapped ? 'diff-wrapped' : 'overflow-x-auto'} dir="ltr">
      {block.isFirst ? (
        <p className="flex h-6 items-center gap-2 border-t border-line bg-sunk px-3 font-mono text-xs text-soft">
          {words.hunk(hunk.newStart === 0 ? hunk.oldStart : hunk.newStart)}{' '}
          <bdi className="truncate">{hunk.content}</bdi>
        </p>
      ) : null}
      <Diff
        diffType="modify"
        viewType={isSplit ? 'split' : 'unified'}
        hunks={[hunk]}
        tokens={tokens ?? null}
        widgets={props.widgets}
        selectedChanges={props.selected}
        gutterEvents={noHover}
        codeEvents={noHover}
        renderGutter={renderGutter}
      >
        {([one]) => (one === undefined ? [] : [<Hunk key="hunk" hunk={one} />])}
      </Diff>
    </div>
  );
});

function useTokens(block: HunkBlock, path: string): ReturnType<typeof keptTokens> {
  const [, setDone] = useState<HunkBlock>();
  useEffect(() => {
    if (keptTokens(block) !== undefined) return undefined;
    const controller = new AbortController();
    const colour = async (): Promise<void> => {
      const tokens = await syntaxTokensOf(block, path, controller.signal).catch(() => undefined);
      // Without tokens the code stays without colours.
      if (tokens !== undefined && !controller.signal.aborted) setDone(block);
    };
    void colour();
    return () => {
      controller.abort();
    };
  }, [block, path]);
  return keptTokens(block);
}

/** Number, sign and the button for a comment; a line has one button in the unified form and one a side in the split form. */
function gutterOf(path: string, isSplit: boolean, words: ChangesWords, onComment: HunkBlockProps['onComment']) {
  return function renderGutter({ change, side, renderDefault }: GutterOptions): ReactNode {
    const own = change.type === 'delete' ? 'old' : 'new';
    const hasButton = isSplit ? change.type === 'normal' || side === own : side === own;
    const hasSign = isSplit ? hasButton : side === 'new';
    const line = lineOf(change, side);
    return (
      <>
        {renderDefault()}
        {hasSign ? <span className="inline-block w-[2ch]">{signOf(change)}</span> : null}
        {hasButton ? (
          <button
            type="button"
            className="diff-comment"
            aria-label={words.commentLine(side, line)}
            onClick={(event) => {
              onComment(path, side, line, event.shiftKey);
            }}
          >
            +
          </button>
        ) : null}
      </>
    );
  };
}

function signOf({ type }: ChangeData): string {
  return type === 'insert' ? '+' : type === 'delete' ? '−' : ' ';
}

/** Each deleted line beside the line that replaces it, as the split form pairs them. */
function zipped(changes: readonly ChangeData[]): ChangeData[] {
  const result: ChangeData[] = [];
  for (let at = 0; at < changes.length;) {
    const deleted = runFrom(changes, at, 'delete');
    const inserted = runFrom(changes, at + deleted.length, 'insert');
    if (deleted.length + inserted.length === 0) {
      result.push(...changes.slice(at, at + 1));
      at += 1;
      continue;
    }
    for (let index = 0; index < Math.max(deleted.length, inserted.length); index++) {
      result.push(...deleted.slice(index, index + 1), ...inserted.slice(index, index + 1));
    }
    at += deleted.length + inserted.length;
  }
  return result;
}

function runFrom(changes: readonly ChangeData[], from: number, type: ChangeData['type']): ChangeData[] {
  let to = from;
  while (changes[to]?.type === type) to += 1;
  return changes.slice(from, to);
}

/** The key of a line's row in its block, where the block has it. */
export function keyOfLine(block: HunkBlock, side: 'old' | 'new', line: number): string | undefined {
  const other = side === 'old' ? 'insert' : 'delete';
  const change = block.hunk.changes.find((one) => one.type !== other && lineOf(one, side) === line);
  return change === undefined ? undefined : getChangeKey(change);
}
