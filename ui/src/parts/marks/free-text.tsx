// Text that a person, an agent or a path wrote: isolated from the direction of what surrounds it.
import type { ReactNode } from 'react';
import { cleanTitle } from '../../text/clean.ts';

/** One line of free text; characters that hide or reorder others are shown as marks. */
export function FreeText({ text, className }: { readonly text: string; readonly className?: string }): ReactNode {
  return (
    <bdi dir="auto" className={className}>
      {cleanTitle(text)}
    </bdi>
  );
}
