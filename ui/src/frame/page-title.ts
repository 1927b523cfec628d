// The title of the page that is shown, for the path in the top bar.
import { createStore, useStore } from '../store.ts';

const title = createStore('');

export function setPageTitle(text: string): void {
  title.set(text);
}

export function usePageTitle(): string {
  return useStore(title);
}
