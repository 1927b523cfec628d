// The view of output: a virtual list that follows its end, with search, links of lines, filters and a plain form.
import { useMemo, useRef, useState, useSyncExternalStore, type ReactNode, type RefObject } from 'react';
import { useActions, type Action } from '../../keys/actions.ts';
import type { OutputStore } from '../../text/output/lines.ts';
import { OutputList, type OutputListHandle } from './output-list.tsx';
import { OutputPlain } from './output-plain.tsx';
import { OutputSearchBar } from './output-search-bar.tsx';
import { OutputStatus } from './output-status.tsx';
import { OutputToolbar } from './output-toolbar.tsx';
import type { OutputWords } from './output-words.ts';
import { useOutputSearch, type SearchOutput } from './use-output-search.ts';
import { useLatest } from '../use-latest.ts';

/** Lines of the whole output, counted from 1, both included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

export interface OutputViewProps {
  readonly store: OutputStore;
  readonly words: OutputWords;
  readonly isWrapped: boolean;
  readonly onWrap: (isWrapped: boolean) => void;
  /** The lines of the address; they are loaded and shown. */
  readonly line: LineRange | undefined;
  readonly onLine: (line: LineRange) => void;
  readonly lineHref: (line: number) => string;
  readonly onCopyLine: (line: number) => void;
  readonly timeText: (at: string) => string;
  /** Loads into the store: pieces before its first, behind its last, around a line, its end. */
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
  readonly loadAround: (line: number) => Promise<void>;
  readonly loadEnd: () => Promise<void>;
  readonly search: SearchOutput;
  /** Saves all of it as a file. */
  readonly onDownload: () => void;
}

/** Fills its parent, which has a height. */
export function OutputView(props: OutputViewProps): ReactNode {
  const { store, words, isWrapped, onWrap, search } = props;
  useSyncExternalStore(store.subscribe, store.version);
  const [isPlain, setPlain] = useState(false);
  const [hasTimes, setTimes] = useState(false);
  const [wordsOnly, setWordsOnly] = useState(false);
  const [query, setQuery] = useState<string>();
  const [step, setStep] = useState({ query: '', at: 0 });
  const list = useRef<OutputListHandle>(null);
  const found = useOutputSearch(store, query ?? '', search);
  const current = step.query === query ? Math.min(step.at, Math.max(found.hits.length - 1, 0)) : 0;
  const go = (by: 1 | -1): void => {
    const at = step.query === query ? (current + by + found.hits.length) % Math.max(found.hits.length, 1) : 0;
    const hit = found.hits[at];
    setStep({ query: query ?? '', at });
    if (hit !== undefined) list.current?.showLine(hit);
  };
  const toggle = {
    wrap: () => {
      onWrap(!isWrapped);
    },
    plain: () => {
      setPlain(!isPlain);
    },
    times: () => {
      setTimes(!hasTimes);
    },
    wordsOnly: () => {
      setWordsOnly(!wordsOnly);
    },
    search: () => {
      setQuery(query === undefined ? '' : undefined);
    },
  };
  useOutputActions(words, query !== undefined, {
    ...toggle,
    go,
    list,
    copyLine: () => {
      props.onCopyLine(props.line?.from ?? list.current?.firstShown() ?? 1);
    },
  });
  return (
    <section aria-label={words.output} className="flex h-full min-h-0 flex-col" data-part="output">
      <OutputToolbar
        words={words}
        pressed={{ wrap: isWrapped, plain: isPlain, times: hasTimes, wordsOnly, search: query !== undefined }}
        toggle={toggle}
        onDownload={props.onDownload}
      />
      {query === undefined ? null : (
        <OutputSearchBar
          {...{ query, found, current, words }}
          onQuery={setQuery}
          onStep={go}
          onClose={() => {
            setQuery(undefined);
          }}
        />
      )}
      {store.count === 0 ? <p className="p-3 text-soft">{words.empty}</p> : null}
      {isPlain ? (
        <OutputPlain store={store} words={words} isWrapped={isWrapped} />
      ) : (
        <OutputList
          {...props}
          ref={list}
          hasTimes={hasTimes}
          wordsOnly={wordsOnly}
          query={query ?? ''}
          hits={found.hits}
          hit={query === undefined || step.query !== query ? undefined : found.hits[current]}
        />
      )}
      <OutputStatus store={store} words={words} />
    </section>
  );
}

interface OutputActions extends Readonly<Record<'wrap' | 'times' | 'wordsOnly' | 'search' | 'copyLine', () => void>> {
  readonly go: (by: 1 | -1) => void;
  readonly list: RefObject<OutputListHandle | null>;
}

/** The keys of the output: `f w t / n N g g G l o` and the browser's own search. */
function useOutputActions(words: OutputWords, isSearching: boolean, offered: OutputActions): void {
  const latest = useLatest(offered);
  const actions = useMemo(() => {
    const action = (keys: string, label: string, run: (now: OutputActions) => void): Action => ({
      id: `output ${keys}`,
      keys,
      label,
      group: 'page',
      run: () => {
        run(latest.current);
      },
    });
    return [
      action('f', words.follow, ({ list }) => list.current?.showEnd()),
      action('G', words.follow, ({ list }) => list.current?.showEnd()),
      action('g g', words.top, ({ list }) => list.current?.showTop()),
      action('w', words.wrap, ({ wrap }) => {
        wrap();
      }),
      action('t', words.times, ({ times }) => {
        times();
      }),
      action('o', words.wordsOnly, ({ wordsOnly }) => {
        wordsOnly();
      }),
      action('l', words.copyLine, ({ copyLine }) => {
        copyLine();
      }),
      ...(isSearching ? searchActions(action, words) : openActions(action, words)),
    ];
  }, [words, isSearching, latest]);
  useActions(actions);
}

type MakeAction = (keys: string, label: string, run: (now: OutputActions) => void) => Action;

function searchActions(action: MakeAction, words: OutputWords): Action[] {
  return [
    action('n', words.next, ({ go }) => {
      go(1);
    }),
    action('N', words.previous, ({ go }) => {
      go(-1);
    }),
  ];
}

/** While the search is open, the browser's own search has its keys. */
function openActions(action: MakeAction, words: OutputWords): Action[] {
  return ['/', 'mod+f'].map((keys) =>
    action(keys, words.search, ({ search }) => {
      search();
    }),
  );
}
