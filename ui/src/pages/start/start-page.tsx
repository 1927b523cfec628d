// Start: what is here, the first task ready to run, and what comes next.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { codebasesQuery, useCodebaseName, workersQuery } from '../../data/fleet/fleet.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { Page } from '../../frame/page.tsx';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { useLack } from '../../session/use-me.ts';
import { cleanText } from '../../text/clean.ts';
import { commonWords } from '../../words/en-common.ts';
import { startWords as words } from '../../words/en-start.ts';
import { StartFacts, WorkerCommand } from './start-facts.tsx';
import { commandOf, firstTaskFor, type FirstTask } from './first-task.ts';

export function StartPage(): ReactNode {
  return (
    <Page title={words.title}>
      <div className="grid gap-6 p-(--page) lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <StartFacts />
        <div className="grid content-start gap-6">
          <First />
          <Done />
        </div>
        <Next />
      </div>
    </Page>
  );
}

function First(): ReactNode {
  const lack = useLack('workers:read');
  const { data = [] } = useQuery({ ...workersQuery(), enabled: lack === undefined });
  const task = firstTaskFor(data);
  return (
    <section aria-label={words.first} className="border border-line bg-paper p-4">
      <h2 className="mb-2 font-semibold">{words.first}</h2>
      {task === undefined ? <p className="text-soft">{lack ?? words.waitsForWorker}</p> : <FirstCard task={task} />}
    </section>
  );
}

function FirstCard({ task }: { readonly task: FirstTask }): ReactNode {
  const navigate = useNavigate();
  const codebaseName = useCodebaseName();
  const { data: codebases = [] } = useQuery(codebasesQuery());
  const isInPlace =
    codebases.find(({ codebase_id }) => codebase_id === task.codebase_id)?.workspace_mode !== 'worktree';
  const lack = useLack('tasks:write');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [key] = useState(() => crypto.randomUUID());
  const run = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      requireOnline();
      const params = { header: { 'Idempotency-Key': key } };
      const made = await dataOf(api().POST('/v1/agent/tasks', { params, body: task }));
      await navigate({ to: '/v1/monitor/tasks/$id', params: { id: made.task.id } });
    } catch (failure) {
      setError(failureText(failure));
      setBusy(false);
    }
  };
  return (
    <div className="grid gap-3">
      <p className="text-sm text-soft">
        <FreeText text={words.firstHint(task.agent_type, codebaseName(task.codebase_id))} />{' '}
        {isInPlace ? null : words.firstBranch}
      </p>
      <pre
        role="group"
        aria-label={words.first}
        className="bg-sunk p-2 font-mono text-mono break-words whitespace-pre-wrap"
      >
        {cleanText(task.prompt)}
      </pre>
      <div>
        <Button kind="primary" busy={isBusy} disabledReason={lack} onClick={() => void run()}>
          {words.run}
        </Button>
      </div>
      {error === undefined ? null : (
        <p role="alert" className="text-bad">
          {error}
        </p>
      )}
      <h3 className="text-sm font-semibold">{words.sameCommand}</h3>
      <CodeLine text={commandOf(task)} copyLabel={commonWords.copy} copiedLabel={commonWords.copied} />
    </div>
  );
}

/** The result of the first task: the folder is unchanged, and a branch has the change. */
function Done(): ReactNode {
  const lack = useLack('tasks:read');
  const { data } = useQuery({
    queryKey: ['overview', 'first-task'],
    queryFn: async () => {
      const query = { q: words.taskTitle, status: 'completed', limit: 1 } as const;
      return (await dataOf(api().GET('/v1/agent/tasks', { params: { query } }))).tasks;
    },
    enabled: lack === undefined,
  });
  const task = data?.find(({ title }) => title === words.taskTitle);
  if (task === undefined) return null;
  const branch = `switchyard/${task.id}`;
  return (
    <section aria-label={words.done} className="border-s-4 border-ok bg-paper px-3 py-2">
      <h2 className="mb-2 font-semibold">{words.done}</h2>
      <div className="grid gap-2">
        {task.changes === null || task.changes.files === 0 ? null : (
          <>
            <p className="text-sm text-soft">{words.doneHint(branch)}</p>
            <CodeLine text={`git merge ${branch}`} copyLabel={commonWords.copy} copiedLabel={commonWords.copied} />
          </>
        )}
        <div>
          <Link to="/v1/monitor/tasks/$id" params={{ id: task.id }} className={buttonClass()}>
            {words.openTask}
          </Link>
        </div>
      </div>
    </section>
  );
}

function Next(): ReactNode {
  return (
    <section aria-label={words.next} className="grid gap-3 lg:col-span-2">
      <h2 className="font-semibold">{words.next}</h2>
      <div className="grid gap-4 lg:grid-cols-3">
        <div className="min-w-0 border-t border-line pt-2">
          <h3 className="mb-1 text-sm font-semibold">{words.nextWorker}</h3>
          <WorkerCommand />
        </div>
        <div className="min-w-0 border-t border-line pt-2">
          <h3 className="mb-1 text-sm font-semibold">{words.nextModel}</h3>
          <CodeLine text="switchyard mcp config" copyLabel={commonWords.copy} copiedLabel={commonWords.copied} />
        </div>
        <div className="min-w-0 border-t border-line pt-2">
          <h3 className="mb-1 text-sm font-semibold">{words.nextKey}</h3>
          <Link to="/v1/monitor/settings/$part" params={{ part: 'keys' }} className={buttonClass()}>
            {words.makeKey}
          </Link>
        </div>
      </div>
    </section>
  );
}
