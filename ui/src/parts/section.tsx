// A part of a page under a heading of its own.
import { useId, type ReactNode } from 'react';

export interface SectionProps {
  readonly title: string;
  /** Beside the heading, such as a count or a control. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, aside, children }: SectionProps): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className="px-(--page) pt-5 last:pb-8">
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
