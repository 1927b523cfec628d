// A key, as it is printed on a keyboard.
import type { ReactNode } from 'react';

export function KeyCap({ keys }: { readonly keys: string }): ReactNode {
  return (
    <span className="inline-flex gap-1">
      {keys.split(' ').map((key, index) => (
        <kbd key={`${index} ${key}`} className="rounded-sm border border-edge bg-sunk px-1 font-mono text-xs text-ink">
          {key}
        </kbd>
      ))}
    </span>
  );
}
