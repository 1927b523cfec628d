// Markdown of people and agents: elements alone, no HTML, no image is loaded, a link shows where it leads.
import type { ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { cleanText } from '../text/clean.ts';
import { commonWords as words } from '../words/en-common.ts';

const plugins = [remarkGfm];
const elementPlugins = [() => cleanElements];

const components: Components = {
  a: ({ href, children }) => <TargetLink href={href}>{children}</TargetLink>,
  img: ({ alt, src }) => (
    <span className="text-soft">{words.image(alt === undefined || alt === '' ? (src ?? '') : alt)}</span>
  ),
  // Headings of a text stand below those of the page.
  h1: ({ children }) => <h4 className="pt-2 font-semibold">{children}</h4>,
  h2: ({ children }) => <h4 className="pt-2 font-semibold">{children}</h4>,
  h3: ({ children }) => <h5 className="pt-2 font-semibold">{children}</h5>,
  h4: ({ children }) => <h5 className="pt-2 font-semibold">{children}</h5>,
  h5: ({ children }) => <h6 className="pt-2 font-semibold">{children}</h6>,
  p: ({ children }) => (
    <p dir="auto" className="py-1">
      {children}
    </p>
  ),
  ul: ({ children }) => <ul className="list-disc ps-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol className="list-decimal ps-6" start={start}>
      {children}
    </ol>
  ),
  blockquote: ({ children }) => <blockquote className="border-s-2 border-line ps-3 text-soft">{children}</blockquote>,
  pre: ({ children }) => (
    <pre tabIndex={0} className="my-1 overflow-x-auto bg-sunk p-2 font-mono text-mono">
      {children}
    </pre>
  ),
  code: ({ children }) => <code className="bg-sunk font-mono text-mono">{children}</code>,
  table: ({ children }) => (
    <div className="overflow-x-auto" tabIndex={0} role="group">
      <table className="my-1 border-collapse">{children}</table>
    </div>
  ),
  // The alignment of a cell would be a style of the text.
  th: ({ children }) => <th className="border border-line px-2 py-1 text-start font-semibold">{children}</th>,
  td: ({ children }) => <td className="border border-line px-2 py-1">{children}</td>,
};

/** The elements of a text in markdown, cleaned. */
export function MarkdownBody({ text }: { readonly text: string }): ReactNode {
  return (
    <Markdown remarkPlugins={plugins} rehypePlugins={elementPlugins} components={components} urlTransform={safeTarget}>
      {cleanText(text)}
    </Markdown>
  );
}

interface Element {
  value?: unknown;
  readonly children?: readonly Element[];
}

/** Cleans the texts of the elements once more: a reference such as `&#x202E;` is a character only now. */
function cleanElements(element: Element): void {
  if (typeof element.value === 'string') element.value = cleanText(element.value);
  element.children?.forEach(cleanElements);
}

/** The address where it is http or https, else nothing. */
export function safeTarget(url: string): string | undefined {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : undefined;
}

function TargetLink({
  href,
  children,
}: {
  readonly href: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  if (href === undefined || href === '') return <span>{children}</span>;
  const isPlain = children === href;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className="text-accent underline">
      {children}
      {isPlain ? null : <span className="text-soft"> ({href})</span>}
    </a>
  );
}
