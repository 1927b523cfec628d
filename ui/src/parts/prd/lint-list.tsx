// The errors and weak places of a PRD, each with its place.
import type { ReactNode } from 'react';
import type { Finding } from '../../data/runs/prd-chats.ts';
import { runWords as words } from '../../words/runs/en-runs.ts';
import { FreeText } from '../marks/free-text.tsx';

interface LintListProps {
  readonly label: string;
  readonly kind: 'error' | 'warning';
  readonly findings: readonly Finding[];
}

export function LintList({ label, kind, findings }: LintListProps): ReactNode {
  if (findings.length === 0) return null;
  const look = kind === 'error' ? 'border-bad text-bad' : 'border-ask text-ask';
  return (
    <ul aria-label={label} className="grid gap-2">
      {findings.map(({ code, path, message }) => (
        <li key={`${code} ${path} ${message}`} className={`border-s-2 ps-2 text-sm ${look}`}>
          <span className="font-semibold">{kind === 'error' ? words.lintError : words.lintWarning}</span>{' '}
          <span className="text-ink">
            <FreeText text={message} />
          </span>
          <span className="block font-mono text-xs text-soft">
            <FreeText text={`${code} ${path}`} />
          </span>
        </li>
      ))}
    </ul>
  );
}
