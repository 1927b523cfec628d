// JSON that can be folded. What is deeper than 64 levels or longer than 200 entries is shown in pieces.
import { useState, type ReactNode } from 'react';
import { cleanText } from '../text/clean.ts';
import { commonWords as words } from '../words/en-common.ts';
import { Button } from './controls/button.tsx';

const deepest = 64;
const entriesAtOnce = 200;
const longestText = 20_000;

/** @param openLevels levels that are open at first */
export function JsonTree({
  value,
  openLevels = 2,
}: {
  readonly value: unknown;
  readonly openLevels?: number;
}): ReactNode {
  return (
    <div
      className="overflow-x-auto rounded-sm border border-line bg-sunk p-2 font-mono text-mono"
      tabIndex={0}
      role="group"
    >
      <JsonValue value={value} depth={0} openLevels={openLevels} />
    </div>
  );
}

interface JsonValueProps {
  readonly value: unknown;
  readonly depth: number;
  readonly openLevels: number;
}

function JsonValue({ value, depth, openLevels }: JsonValueProps): ReactNode {
  if (typeof value === 'string') return <JsonText text={value} />;
  if (typeof value !== 'object' || value === null) return <span className="text-running">{String(value)}</span>;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return `${open}${close}`;
  const isList = Array.isArray(value);
  return <JsonEntries {...{ entries, depth, openLevels, open, close, isList }} />;
}

function JsonText({ text }: { readonly text: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen || text.length <= longestText ? text : text.slice(0, longestText);
  return (
    <span className="break-all whitespace-pre-wrap text-ok">
      <bdi>{cleanText(JSON.stringify(shown))}</bdi>
      {shown.length === text.length ? null : <Button onClick={() => setOpen(true)}>{words.loadMore}</Button>}
    </span>
  );
}

interface JsonEntriesProps {
  readonly entries: readonly (readonly [string, unknown])[];
  readonly depth: number;
  readonly openLevels: number;
  readonly open: string;
  readonly close: string;
  readonly isList: boolean;
}

function JsonEntries({ entries, depth, openLevels, open, close, isList }: JsonEntriesProps): ReactNode {
  const [isOpen, setOpen] = useState(depth < openLevels);
  const [shown, setShown] = useState(entriesAtOnce);
  if (depth >= deepest) return `${open}…${close}`;
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        className="min-h-6 rounded-sm text-soft hover:text-ink"
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? open : `${open} ${entries.length} ${close}`}
      </button>
      {isOpen ? (
        <>
          <ul className="ms-4">
            {entries.slice(0, shown).map(([key, entry]) => (
              <li key={key}>
                {isList ? null : <span className="text-soft">{cleanText(key)}: </span>}
                <JsonValue value={entry} depth={depth + 1} openLevels={openLevels} />
              </li>
            ))}
          </ul>
          {shown < entries.length ? (
            <Button kind="quiet" onClick={() => setShown(shown + entriesAtOnce)}>
              {words.of(shown, entries.length)}
            </Button>
          ) : null}
          {close}
        </>
      ) : null}
    </>
  );
}
