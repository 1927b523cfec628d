// Turns keys into actions: not while typing, not under a dialog, and not at all when shortcuts are off.
import { useEffect } from 'react';
import { getDisplay } from '../display/display.ts';
import { actionFor, isPrefix } from './actions.ts';

const sequenceMs = 1_000;

/** Listens as long as the frame is there. */
export function useKeyListener(): void {
  useEffect(() => {
    let begun: string | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const forget = (): void => {
      clearTimeout(timer);
      begun = undefined;
    };
    const onKey = (event: KeyboardEvent): void => {
      const key = keyOf(event);
      if (key === undefined || event.defaultPrevented || event.isComposing) return;
      const isCombination = key.startsWith('mod+');
      if (!isCombination && (isTyping(event.target) || !getDisplay().keys || isUnderDialog(event.target))) return;
      const keys = begun === undefined ? key : `${begun} ${key}`;
      const action = actionFor(keys) ?? (begun === undefined ? undefined : actionFor(key));
      forget();
      if (action !== undefined) {
        event.preventDefault();
        action.run();
      } else if (isPrefix(keys)) {
        begun = keys;
        timer = setTimeout(forget, sequenceMs);
      }
    };
    document.addEventListener('keydown', onKey);
    return () => {
      forget();
      document.removeEventListener('keydown', onKey);
    };
  }, []);
}

function keyOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | undefined {
  if (altKey || ['Shift', 'Control', 'Meta', 'Alt'].includes(key)) return undefined;
  return ctrlKey || metaKey ? `mod+${key.length === 1 ? key.toLowerCase() : key}` : key;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type);
}

/** A dialog has its own keys, but for those that stand in it. */
function isUnderDialog(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[role=dialog],[role=alertdialog],[role=menu]') !== null;
}
