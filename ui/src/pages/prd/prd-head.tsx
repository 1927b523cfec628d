// The head of a PRD: project, branch, description, gates, exclusions, open questions.
import type { ReactNode } from 'react';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { MarkdownText } from '../../parts/markdown.tsx';
import { cleanText } from '../../text/clean.ts';
import { prdWords as words } from '../../words/runs/en-prd.ts';
import type { PrdDocument } from './prd-document.ts';

export function PrdHead({ document }: { readonly document: PrdDocument }): ReactNode {
  const { project, branch, description, gates, nonGoals, openQuestions } = document;
  return (
    <div className="grid gap-3">
      <div>
        <h3 className="font-bold">
          <FreeText text={project} />
        </h3>
        {branch === '' ? null : (
          <p className="font-mono text-xs text-soft">
            <FreeText text={branch} />
          </p>
        )}
        <MarkdownText text={description} />
      </div>
      <TextList title={words.openQuestions} texts={openQuestions} isAsked />
      {gates.length === 0 ? null : (
        <div>
          <h4 className="text-sm font-semibold">{words.gates}</h4>
          <ul>
            {gates.map(({ id, command }) => (
              <li key={id} className="text-sm">
                <FreeText text={id} />{' '}
                <code className="font-mono text-mono break-all whitespace-pre-wrap text-soft">
                  {cleanText(command)}
                </code>
              </li>
            ))}
          </ul>
        </div>
      )}
      <TextList title={words.nonGoals} texts={nonGoals} />
    </div>
  );
}

interface TextListProps {
  readonly title: string;
  readonly texts: readonly string[];
  readonly isAsked?: boolean;
}

function TextList({ title, texts, isAsked = false }: TextListProps): ReactNode {
  if (texts.length === 0) return null;
  return (
    <div className={isAsked ? 'border-s-4 border-ask ps-3' : ''}>
      <h4 className="text-sm font-semibold">{title}</h4>
      <ul className="ms-4 list-disc text-sm">
        {texts.map((text) => (
          <li key={text}>
            <FreeText text={text} />
          </li>
        ))}
      </ul>
    </div>
  );
}
