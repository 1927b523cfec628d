// A list without entries: one sentence, what would fill it, and the command that does.
import type { ReactNode } from 'react';

export function Empty({ text, children }: { readonly text: string; readonly children?: ReactNode }): ReactNode {
  return (
    <div className="max-w-[72ch] px-(--page) py-8">
      <p className="mb-3 text-soft">{text}</p>
      {children}
    </div>
  );
}
