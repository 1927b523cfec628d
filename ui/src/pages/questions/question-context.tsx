// Context for the answer to a task's question: its last output, the files that it changed, the exchange so far.
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { lastLines, outputEndQuery } from '../../data/tasks/last-lines.ts';
import type { Task } from '../../data/tasks/tasks.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { LineBlock } from '../../parts/task/line-block.tsx';
import { markControls } from '../../text/clean.ts';
import { questionWords as words } from '../../words/en-questions.ts';
import { ExchangePart } from '../task/exchange-part.tsx';

export function QuestionContext({ task }: { readonly task: Task }): ReactNode {
  const context = task.question?.context ?? null;
  return (
    <div className="grid gap-4">
      {context === null ? null : (
        <Folded title={words.context} open>
          <JsonTree value={context} />
        </Folded>
      )}
      <Folded title={words.output} open>
        <LastOutput id={task.id} />
      </Folded>
      <Folded title={words.changes} open>
        <ChangedFiles id={task.id} />
      </Folded>
      <Folded title={words.exchange}>
        <div className="-mx-(--page)">
          <ExchangePart task={task} />
        </div>
      </Folded>
    </div>
  );
}

/** A section that folds. What is in it is read when it is first opened. */
export function Folded({
  title,
  open = false,
  children,
}: {
  readonly title: string;
  readonly open?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const [wasOpen, setWasOpen] = useState(open);
  return (
    <details
      open={open}
      className="min-w-0 border-t border-line pt-2"
      onToggle={(event) => {
        if (event.currentTarget.open) setWasOpen(true);
      }}
    >
      <summary className="flex min-h-(--control) cursor-pointer items-center">
        <h2 className="text-sm font-semibold before:me-2 before:text-soft before:content-['▸'] [details[open]_&]:before:content-['▾']">
          {title}
        </h2>
      </summary>
      {wasOpen ? children : null}
    </details>
  );
}

const shownLines = 30;

function LastOutput({ id }: { readonly id: string }): ReactNode {
  const query = useQuery(outputEndQuery(id));
  return (
    <Answer query={query} rows={3}>
      {(text) => {
        const lines = lastLines(text, shownLines);
        return lines === '' ? (
          <p className="text-sm text-soft">{words.noOutput}</p>
        ) : (
          <LineBlock label={words.output} text={lines} />
        );
      }}
    </Answer>
  );
}

const shownFiles = 50;

function ChangedFiles({ id }: { readonly id: string }): ReactNode {
  const query = useQuery({
    queryKey: ['task', id, 'changes'],
    queryFn: async () => (await dataOf(api().GET('/v1/agent/tasks/{id}/changes', { params: { path: { id } } }))).files,
  });
  return (
    <Answer query={query} rows={2}>
      {(files) =>
        files.length === 0 ? (
          <p className="text-sm text-soft">{words.noChanges}</p>
        ) : (
          <>
            <ul className="grid gap-1 text-sm">
              {files.slice(0, shownFiles).map(({ path, status, added, removed }) => (
                <li key={path} className="flex flex-wrap gap-x-3">
                  <bdi className="min-w-0 font-mono text-mono break-all">{markControls(path)}</bdi>
                  <span className="text-soft">{words.fileStates[status]}</span>
                  <span>{words.plusMinus(added, removed)}</span>
                </li>
              ))}
            </ul>
            {files.length > shownFiles ? (
              <p className="text-sm text-soft">{words.moreFiles(files.length - shownFiles)}</p>
            ) : null}
          </>
        )
      }
    </Answer>
  );
}
