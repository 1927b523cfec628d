// Text that a person, an agent or a path wrote: isolated from the direction of what surrounds it.
import type { ReactNode } from 'react';

/** One line of free text. */
export function FreeText({ text, className }: { readonly text: string; readonly className?: string }): ReactNode {
  return (
    <bdi dir="auto" className={className}>
      {text}
    </bdi>
  );
}
