// Keys as a person reads them on this platform.
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Keys as they are printed: `mod` is the modifier of the platform. */
export function printedKeys(keys: string): string {
  return keys
    .replace('mod+', isMac ? '⌘ ' : 'Ctrl ')
    .replace('Enter', '⏎')
    .replace('Escape', 'esc');
}
