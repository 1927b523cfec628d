// Some lines of output as one block.
import type { ReactNode } from 'react';

export function LineBlock({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  return (
    <pre
      role="group"
      aria-label={label}
      dir="ltr"
      className="rounded-sm border border-line bg-sunk p-2 font-mono text-mono break-all whitespace-pre-wrap"
    >
      {text}
    </pre>
  );
}
