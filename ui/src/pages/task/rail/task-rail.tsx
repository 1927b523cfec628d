// Beside a task: its life as a track, and its facts.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { shortId, useCodebaseName, useWorkerName } from '../../../data/fleet/fleet.ts';
import { tokensOf, type Task } from '../../../data/tasks/tasks.ts';
import { CodeLine } from '../../../parts/controls/code-line.tsx';
import { Track } from '../../../parts/marks/track.tsx';
import { FreeText } from '../../../parts/marks/free-text.tsx';
import { Ago, ExactTime } from '../../../parts/marks/time.tsx';
import { costText, TaskChanges } from '../../../parts/task/task-state.tsx';
import { number } from '../../../words/catalogue.ts';
import { commonWords } from '../../../words/en-common.ts';
import { taskPageWords as words } from '../../../words/tasks/en-task-page.ts';
import { useStations } from './use-stations.ts';

const names = words.factNames;
/** Rows of facts stand close: the links have the height of a target. */
const factLink = 'inline-flex min-h-6 items-center underline';

export function TaskRail({ task }: { readonly task: Task }): ReactNode {
  const stations = useStations(task);
  return (
    <aside className="border-t border-line p-(--page) text-sm lg:border-s lg:border-t-0">
      <h2 className="mb-2 font-semibold">{words.line}</h2>
      <Track label={words.lineLabel} stations={stations} />
      <h2 className="mt-5 mb-2 font-semibold">{words.facts}</h2>
      <Facts task={task} />
      {task.changes === null ? null : (
        <div className="mt-4">
          <h2 className="mb-1 font-semibold">{names.branch}</h2>
          <CodeLine
            text={`git merge switchyard/${task.id}`}
            copyLabel={commonWords.copy}
            copiedLabel={commonWords.copied}
          />
        </div>
      )}
    </aside>
  );
}

function Facts({ task }: { readonly task: Task }): ReactNode {
  const workerName = useWorkerName();
  const codebaseName = useCodebaseName();
  const tokens = tokensOf(task);
  return (
    <dl className="grid items-baseline grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
      <Fact name={names.id}>
        <span className="font-mono text-xs break-all">{task.id}</span>
      </Fact>
      {task.codebase_id === null ? null : (
        <Fact name={names.codebase}>
          <Link to="/v1/monitor/codebases/$id" params={{ id: task.codebase_id }} className={factLink}>
            <FreeText text={codebaseName(task.codebase_id)} />
          </Link>
        </Fact>
      )}
      {task.worker_id === null ? null : (
        <Fact name={names.worker}>
          <Link to="/v1/monitor/fleet/$id" params={{ id: task.worker_id }} className={factLink}>
            <FreeText text={workerName(task.worker_id)} />
          </Link>
        </Fact>
      )}
      <Fact name={names.agent} text={task.agent_type ?? task.target_agent} />
      <Fact name={names.model} text={task.model} />
      <Fact name={names.priority} text={String(task.priority)} />
      <Fact name={names.attempt} text={`${task.attempt}/${task.max_attempts}`} />
      {task.deadline_at === null ? null : (
        <Fact name={names.deadline}>
          <Ago at={task.deadline_at} />
        </Fact>
      )}
      <Fact name={names.tokens} text={tokens === undefined ? null : number(tokens)} />
      {task.usage === null ? null : <Fact name={names.cost}>{costText(task)}</Fact>}
      {task.changes === null ? null : (
        <Fact name={names.changes}>
          <TaskChanges task={task} />
        </Fact>
      )}
      {task.conversation_id === null ? null : (
        <Fact name={names.conversation}>
          <Link to="/v1/monitor/conversations/$id" params={{ id: task.conversation_id }} className={factLink}>
            <FreeText text={shortId(task.conversation_id)} />
          </Link>
        </Fact>
      )}
      <Fact name={names.createdBy} text={task.created_by} />
      <Fact name={names.created}>
        <ExactTime at={task.created_at} />
      </Fact>
      <Fact name={names.base} text={textOf(task.metadata['git_base'])} />
      {task.trace_id === undefined ? null : (
        <Fact name={names.trace}>
          <span className="font-mono text-xs break-all">{task.trace_id}</span>
        </Fact>
      )}
      {task.step === undefined ? null : (
        <Fact name={names.run}>
          <Link to="/dashboard/ralph/$id" params={{ id: task.step.run_id }} className={factLink}>
            {shortId(task.step.run_id)}
          </Link>
        </Fact>
      )}
      <Fact name={names.webhook} text={task.webhook_url} />
    </dl>
  );
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function Fact({
  name,
  text,
  children,
}: {
  readonly name: string;
  readonly text?: string | null;
  readonly children?: ReactNode;
}): ReactNode {
  if (children === undefined && (text === undefined || text === null || text === '')) return null;
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 [&_time]:whitespace-normal">{children ?? <FreeText text={text ?? ''} />}</dd>
    </>
  );
}
