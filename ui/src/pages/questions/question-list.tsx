// One group of what waits for a person: those that ask, or what went wrong.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { itemsOf, type AttentionPages } from '../../data/attention.ts';
import { isQuestion, type AttentionGroup, type AttentionItem } from '../../live/attention-count.ts';
import { Button } from '../../parts/controls/button.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { StateMark } from '../../parts/marks/state-mark.tsx';
import { Age } from '../../parts/marks/time.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { commonWords } from '../../words/en-common.ts';
import { questionWords as words } from '../../words/en-questions.ts';

interface QuestionListProps {
  readonly group: AttentionGroup;
  readonly query: AttentionPages;
  /** The item that is shown beside the list. */
  readonly current: string | undefined;
}

/** The name of an item: that of its task, run or worker, else what it is. */
export function itemName({ title, kind }: AttentionItem): string {
  return title === '' ? words.kinds[kind] : title;
}

export function QuestionList({ group, query, current }: QuestionListProps): ReactNode {
  if (query.data === undefined) return <Waiting query={query} />;
  const items = itemsOf(query.data);
  if (items.length === 0) return null;
  const title = words.groups[group];
  return (
    <section>
      <h2 className="border-b border-line px-(--page) pt-3 pb-1 text-sm font-semibold text-soft lg:px-4">{title}</h2>
      <ul>
        {items.map((item) => (
          <li key={`${item.kind} ${item.id}`} className="border-b border-line">
            <Link
              to="/v1/monitor/questions/$id"
              params={{ id: item.id }}
              aria-current={item.id === current ? 'true' : undefined}
              className="block border-s-4 border-transparent px-[calc(var(--page)-4px)] py-2 -outline-offset-2 hover:bg-sunk lg:aria-current:border-accent lg:aria-current:bg-paper lg:px-3"
            >
              <span className="flex items-center gap-2">
                <StateMark state={isQuestion(item) ? 'needs_input' : 'failed'} word={words.kinds[item.kind]} hideWord />
                <span className="min-w-0 flex-1 truncate font-semibold">
                  <FreeText text={itemName(item)} />
                </span>
                <span className="text-xs text-soft">
                  <Age since={item.asked_at} />
                </span>
              </span>
              <span className="line-clamp-2 text-sm break-words text-soft">
                <FreeText text={item.text.slice(0, 300).replaceAll(/\s+/g, ' ')} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {query.hasNextPage ? (
        <div className="p-3">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {commonWords.loadMore}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
