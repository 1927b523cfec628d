// The bar of the search: field, count, next and previous, close.
import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import type { OutputWords } from './output-words.ts';
import type { OutputSearch } from './use-output-search.ts';

export interface OutputSearchBarProps {
  readonly query: string;
  readonly found: OutputSearch;
  /** The index of the current hit. */
  readonly current: number;
  readonly words: OutputWords;
  readonly onQuery: (query: string) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
}

export function OutputSearchBar(props: OutputSearchBarProps): ReactNode {
  const { words, found, query } = props;
  return (
    <search className="flex flex-wrap items-center gap-2 border-b border-line bg-paper px-2 py-1">
      <input
        type="search"
        aria-label={words.searchIn}
        value={query}
        autoFocus
        className="min-h-(--control) min-w-0 flex-1 rounded-sm border border-edge bg-ground px-2"
        onChange={(event) => {
          props.onQuery(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') props.onClose();
          else if (event.key === 'Enter') props.onStep(event.shiftKey ? -1 : 1);
          else return;
          event.preventDefault();
        }}
      />
      <span role="status" className="text-sm text-soft">
        {countText(props)}
      </span>
      <Button
        kind="quiet"
        label={words.previous}
        disabledReason={found.hits.length === 0 && query !== '' ? words.noHits : undefined}
        onClick={() => {
          props.onStep(-1);
        }}
      >
        ↑
      </Button>
      <Button
        kind="quiet"
        label={words.next}
        disabledReason={found.hits.length === 0 && query !== '' ? words.noHits : undefined}
        onClick={() => {
          props.onStep(1);
        }}
      >
        ↓
      </Button>
      <Button kind="quiet" label={words.close} onClick={props.onClose}>
        ×
      </Button>
    </search>
  );
}

function countText({ query, found, current, words }: OutputSearchBarProps): string {
  if (query === '') return '';
  if (found.state === 'failed') return `${words.hits(current + 1, found.hits.length)} · ${words.searchFailed}`;
  if (found.hits.length > 0) return words.hits(current + 1, found.hits.length);
  return found.state === 'done' ? words.noHits : words.searching;
}
