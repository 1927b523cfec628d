// The page of one run: header, line, questions, board; the story of the address beside the board.
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { runQuery, type Run } from '../../data/runs/runs.ts';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { Button } from '../../parts/controls/button.tsx';
import { CopyMenu } from '../../parts/controls/copy-menu.tsx';
import { RunMark } from '../../parts/run/run-mark.tsx';
import { RunQuestionForm } from '../../parts/run/run-question-form.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack } from '../../session/use-me.ts';
import { runWords as words } from '../../words/runs/en-runs.ts';
import { StoryPanel } from '../story/story-panel.tsx';
import { RunBoard } from './board/run-board.tsx';
import { RunDialogs } from './run-dialogs.tsx';
import { RunHead } from './board/run-head.tsx';
import { RunLine } from './board/run-line.tsx';
import { useBoardKeys } from './board/use-board-keys.ts';
import { useFollowRun } from './board/use-follow-run.ts';
import { useRunActions } from './use-run-actions.ts';

export function RunPage(): ReactNode {
  const { id = '', story } = useParams({ strict: false });
  const lack = useLack('ralph:read');
  const query = useQuery({ ...runQuery(id), enabled: lack === undefined });
  if (lack !== undefined) return <NoRead title={words.title} permission="ralph:read" />;
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) return <NotFound id={id} />;
  if (query.data !== undefined) return <LoadedRun run={query.data} storyId={story} />;
  return (
    <Page title={words.untitled} focusKey={id}>
      <Waiting query={query} />
    </Page>
  );
}

function LoadedRun({ run, storyId }: { readonly run: Run; readonly storyId: string | undefined }): ReactNode {
  const { actions, dialog, closeDialog } = useRunActions(run);
  useFollowRun(run);
  useBoardKeys(run, storyId);
  const isOpen = storyId !== undefined;
  // On a phone the story has the page to itself.
  const besides = isOpen ? 'max-lg:hidden' : '';
  return (
    <Page
      title={run.project === '' ? words.untitled : run.project}
      focusKey={run.run_id}
      mark={<RunMark status={run.status} />}
      actions={
        <>
          {actions.map(({ id, label, kind, keys, disabledReason, run: act }) => (
            <Button key={id} kind={kind} keys={keys} disabledReason={disabledReason} onClick={act}>
              {label}
            </Button>
          ))}
          <CopyMenu
            link={`/dashboard/ralph/${run.run_id}`}
            id={run.run_id}
            call={{ method: 'GET', path: `/v1/ralph/runs/${run.run_id}` }}
            command={`switchyard ralph show ${run.run_id}`}
            json={run}
          />
        </>
      }
    >
      <div className={besides}>
        {isOpen ? null : <RunHead run={run} />}
        <RunQuestions run={run} />
        <RunLine run={run} current={storyId} />
      </div>
      <div className={isOpen ? 'lg:grid lg:grid-cols-[300px_minmax(0,1fr)]' : ''}>
        <div className={besides}>
          <RunBoard run={run} current={storyId} />
        </div>
        {storyId === undefined ? null : <StoryPanel key={storyId} run={run} storyId={storyId} />}
      </div>
      <RunDialogs run={run} dialog={dialog} onClose={closeDialog} />
    </Page>
  );
}

function RunQuestions({ run }: { readonly run: Run }): ReactNode {
  if (run.questions.length === 0) return null;
  return (
    <section aria-labelledby="run-questions" className="border-t border-line px-(--page) py-4">
      <h2 id="run-questions" className="mb-2 font-semibold">
        {words.questions}
      </h2>
      <ul className="grid gap-3">
        {run.questions.map((question) => (
          <li key={question.question_id}>
            <RunQuestionForm runId={run.run_id} question={question} />
          </li>
        ))}
      </ul>
    </section>
  );
}
