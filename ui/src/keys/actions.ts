// What can be done on the page of now: each action has a name for the palette and the menus, and may have keys.
import { useEffect } from 'react';
import { createStore, useStore } from '../store.ts';

export interface Action {
  readonly id: string;
  readonly label: string;
  /** One key (`c`, `⇧G` is `G`), a sequence (`g t`), or a combination with the platform's modifier (`mod+Enter`). */
  readonly keys?: string;
  /** Where the sheet of keys lists it. */
  readonly group: 'everywhere' | 'go' | 'page';
  readonly run: () => void;
  readonly disabledReason?: string | undefined;
}

const layers = createStore<readonly (readonly Action[])[]>([]);

/** Offers these actions while the component is on the page. A later layer wins where keys are the same. */
export function useActions(actions: readonly Action[]): void {
  useEffect(() => {
    layers.set([...layers.get(), actions]);
    return () => layers.set(layers.get().filter((layer) => layer !== actions));
  }, [actions]);
}

/** All actions of now, the page's own first. */
export function useAllActions(): readonly Action[] {
  return useStore(layers).toReversed().flat();
}

/** The action of these keys. */
export function actionFor(keys: string): Action | undefined {
  return layers
    .get()
    .toReversed()
    .flat()
    .find((action) => action.keys === keys && action.disabledReason === undefined);
}

/** True when a longer sequence begins with these keys. */
export function isPrefix(keys: string): boolean {
  return layers.get().some((layer) => layer.some((action) => action.keys?.startsWith(`${keys} `) === true));
}
