// A band of the overview: a heading, something beside it, and its rows.
import type { ReactNode } from 'react';

export function Band({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section aria-label={title} className="mb-5">
      <div className="flex items-baseline justify-between gap-3 border-b border-edge px-(--page) pt-3 pb-1">
        <h2 className="font-semibold">{title}</h2>
        <span className="text-sm text-soft">{aside}</span>
      </div>
      {children}
    </section>
  );
}
