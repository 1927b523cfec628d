// A command or an id to copy.
import { useEffect, useState, type ReactNode } from 'react';
import { markControls } from '../../text/clean.ts';
import { Button } from './button.tsx';
import { copyText } from './copy.ts';

/** @param wrap shows long commands over several lines */
export function CodeLine({
  text,
  copyLabel,
  copiedLabel,
  wrap = true,
}: {
  readonly text: string;
  readonly copyLabel: string;
  readonly copiedLabel: string;
  readonly wrap?: boolean;
}): ReactNode {
  // The copied text is the shown text.
  const shown = text.split('\n').map(markControls).join('\n');
  return (
    <div className="flex items-start gap-2 rounded-sm border border-line bg-sunk p-2">
      <pre
        tabIndex={0}
        className={`min-w-0 flex-1 py-1.5 font-mono text-mono ${wrap ? 'break-all whitespace-pre-wrap' : 'overflow-x-auto'}`}
      >
        {shown}
      </pre>
      <CopyButton text={shown} label={copyLabel} copiedLabel={copiedLabel} />
    </div>
  );
}

const shownMs = 2_000;

export function CopyButton({
  text,
  label,
  copiedLabel,
}: {
  readonly text: string;
  readonly label: string;
  readonly copiedLabel: string;
}): ReactNode {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <Button kind="quiet" onClick={() => void copyText(text).then(setCopied)}>
      <span aria-live="polite">{isCopied ? copiedLabel : label}</span>
    </Button>
  );
}
