// The way from a task to the next and the previous one of the list that it was opened from.
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { placeInList } from '../../../data/tasks/opened-list.ts';
import { buttonClass } from '../../../parts/controls/button.tsx';
import { taskPageWords as words } from '../../../words/tasks/en-task-page.ts';
import type { TaskPart } from '../task-search.ts';

export function ListNeighbours({ id, part }: { readonly id: string; readonly part: TaskPart }): ReactNode {
  const place = placeInList(id);
  if (place === undefined || place.count < 2) return null;
  const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true, className: 'rtl:rotate-180' } as const;
  return (
    <nav aria-label={words.listPlace} className="hidden items-center gap-1 text-sm text-soft md:flex">
      <Neighbour id={place.previous} part={part} label={words.previousTask}>
        <ChevronLeft {...icon} />
      </Neighbour>
      {words.placeOf(place.index + 1, place.count)}
      <Neighbour id={place.next} part={part} label={words.nextTask}>
        <ChevronRight {...icon} />
      </Neighbour>
    </nav>
  );
}

interface NeighbourProps {
  readonly id: string | undefined;
  readonly part: TaskPart;
  readonly label: string;
  readonly children: ReactNode;
}

function Neighbour({ id, part, label, children }: NeighbourProps): ReactNode {
  if (id === undefined) return null;
  return (
    <Link
      to="/v1/monitor/tasks/$id/$part"
      params={{ id, part }}
      aria-label={label}
      title={label}
      className={buttonClass('quiet', true)}
    >
      {children}
    </Link>
  );
}
