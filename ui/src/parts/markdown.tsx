// A text in markdown. The library that reads it comes later than the page: until then the text stands as it was written.
import { lazy, Suspense, type ReactNode } from 'react';
import { cleanText } from '../text/clean.ts';

const MarkdownBody = lazy(async () => ({ default: (await import('./markdown-body.tsx')).MarkdownBody }));

/** Its width is that of prose. */
export function MarkdownText({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="max-w-[72ch] wrap-anywhere">
      <Suspense
        fallback={
          <p dir="auto" className="py-1 whitespace-pre-wrap">
            {cleanText(text)}
          </p>
        }
      >
        <MarkdownBody text={text} />
      </Suspense>
    </div>
  );
}
