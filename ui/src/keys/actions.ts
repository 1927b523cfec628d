// The actions of the current page: each has a name for the palette and the menus, and may have keys.
import { useEffect, useState } from 'react';
import { createStore, useStore } from '../store.ts';

export interface Action {
  readonly id: string;
  readonly label: string;
  /** One key (`c`, `⇧G` is `G`), a sequence (`g t`), or a combination with the platform's modifier (`mod+Enter`). */
  readonly keys?: string;
  /** Keys that do the same and are listed nowhere, such as an arrow. */
  readonly otherKeys?: string;
  /** Its section in the sheet of keys. */
  readonly group: 'everywhere' | 'go' | 'page';
  readonly run: () => void;
  readonly disabledReason?: string | undefined;
}

interface Layer {
  readonly order: number;
  readonly actions: readonly Action[];
}

const layers = createStore<readonly Layer[]>([]);
let lastOrder = 0;

function nextOrder(): number {
  lastOrder += 1;
  return lastOrder;
}

/**
 * Offers these actions while the component is on the page. Where keys are the same, the part of a page wins over the page and
 * a later component over an earlier one, also after the earlier one's actions have changed.
 */
export function useActions(actions: readonly Action[]): void {
  // A parent is rendered before its children, whose effects run before its own.
  const [order] = useState(nextOrder);
  useEffect(() => {
    const layer = { order, actions };
    layers.set([...layers.get(), layer].toSorted((one, other) => one.order - other.order));
    return () => layers.set(layers.get().filter((other) => other !== layer));
  }, [order, actions]);
}

/** All current actions, the page's own first. */
export function useAllActions(): readonly Action[] {
  return flatten(useStore(layers));
}

/** The action of these keys. */
export function actionFor(keys: string): Action | undefined {
  return flatten(layers.get()).find(
    (action) => (action.keys === keys || action.otherKeys === keys) && action.disabledReason === undefined,
  );
}

/** True when a longer sequence begins with these keys. */
export function isPrefix(keys: string): boolean {
  return layers.get().some(({ actions }) => actions.some((action) => action.keys?.startsWith(`${keys} `) === true));
}

function flatten(all: readonly Layer[]): readonly Action[] {
  return all.toReversed().flatMap(({ actions }) => actions);
}
