// Markdown.
import type { ReactNode } from 'react';

export function Markdown({ text }: { readonly text: string }): ReactNode {
  return <p className="whitespace-pre-wrap">{text}</p>;
}
