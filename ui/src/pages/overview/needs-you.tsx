// The band of what needs a person: questions, what went wrong, a degraded service.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isQuestion, type AttentionItem } from '../../live/attention-count.ts';
import { buttonClass } from '../../parts/controls/button.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { StateMark } from '../../parts/marks/state-mark.tsx';
import { Age } from '../../parts/marks/time.tsx';
import { overviewWords as words } from '../../words/en-overview.ts';
import { questionWords } from '../../words/en-questions.ts';
import { itemName } from '../questions/question-list.tsx';
import { AttentionItemActions } from '../questions/attention-item.tsx';
import { Band } from './band.tsx';

/** More are on the page of questions. */
const shownItems = 8;

export function NeedsYou({
  items,
  reasons,
}: {
  /** Those that ask come first. */
  readonly items: readonly AttentionItem[];
  /** Why the service is degraded. */
  readonly reasons: readonly string[];
}): ReactNode {
  if (items.length === 0 && reasons.length === 0) return null;
  return (
    <Band
      title={words.needsYou}
      aside={
        <Link to="/v1/monitor/questions" className="text-accent underline">
          {words.allQuestions}
        </Link>
      }
    >
      <ul>
        {reasons.length === 0 ? null : (
          <li className={rowClass}>
            <StateMark state="failed" word={words.health} hideWord />
            <span className="min-w-0 break-words">
              <span className="font-semibold">{words.health}</span>{' '}
              <span className="text-sm text-soft">
                <FreeText text={reasons.join(' ')} />
              </span>
            </span>
            <Link to="/v1/monitor/health" className={`${buttonClass()} max-md:col-start-2 max-md:justify-self-start`}>
              {words.openHealth}
            </Link>
          </li>
        )}
        {items.slice(0, shownItems).map((item) => (
          <ItemRow key={`${item.kind} ${item.id}`} item={item} />
        ))}
      </ul>
    </Band>
  );
}

const rowClass =
  'grid min-h-(--row) grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 border-b border-line px-(--page) py-1.5 md:grid-cols-[auto_minmax(0,1fr)_auto]';

function ItemRow({ item }: { readonly item: AttentionItem }): ReactNode {
  return (
    <li className={rowClass}>
      <StateMark state={isQuestion(item) ? 'needs_input' : 'failed'} word={questionWords.kinds[item.kind]} hideWord />
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        <Link
          to="/v1/monitor/questions/$id"
          params={{ id: item.id }}
          className="min-w-0 truncate font-semibold hover:underline"
        >
          <FreeText text={itemName(item)} />
        </Link>
        <span className="text-sm text-soft">
          <Age since={item.asked_at} />
        </span>
        <span className="w-full truncate text-sm text-soft">
          <FreeText text={item.text.slice(0, 300).replaceAll(/\s+/g, ' ')} />
        </span>
      </span>
      <span className="max-md:col-start-2">
        {isQuestion(item) ? (
          <Link to="/v1/monitor/questions/$id" params={{ id: item.id }} className={buttonClass('primary')}>
            {words.answer}
          </Link>
        ) : (
          <AttentionItemActions item={item} onDone={() => undefined} />
        )}
      </span>
    </li>
  );
}
