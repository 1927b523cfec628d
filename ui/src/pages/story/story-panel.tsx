// The story of a run beside its board: criteria with their evidence, attempts with their tasks, learnings, changes.
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { storyQuery, type Run, type Story } from '../../data/runs/runs.ts';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { CopyIconMenu } from '../../parts/controls/copy-menu.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { StateMark } from '../../parts/marks/state-mark.tsx';
import { MarkdownText } from '../../parts/markdown.tsx';
import { storyMark, storyWord } from '../../parts/run/run-mark.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { useLack } from '../../session/use-me.ts';
import { shellQuote } from '../../text/curl.ts';
import { commonWords } from '../../words/en-common.ts';
import { runWords as words } from '../../words/runs/en-runs.ts';
import { CriteriaList } from './criteria-list.tsx';
import { StoryAttempts } from './story-attempts.tsx';
import { StoryChanges } from './story-changes.tsx';
import { StoryEdit } from './story-edit.tsx';
import { StoryLearnings } from './story-learnings.tsx';

interface StoryPanelProps {
  readonly run: Run;
  readonly storyId: string;
}

export function StoryPanel({ run, storyId }: StoryPanelProps): ReactNode {
  const query = useQuery(storyQuery(run.run_id, storyId));
  const isMissing = query.error instanceof ApiError && [400, 404].includes(query.error.status);
  return (
    <section aria-label={words.storyPanel(storyId)} className="min-w-0 border-t border-line p-(--page)">
      <p className="mb-3">
        <Link
          to="/dashboard/ralph/$id"
          params={{ id: run.run_id }}
          resetScroll={false}
          className={buttonClass('quiet')}
        >
          {words.toBoard}
        </Link>
      </p>
      {isMissing ? (
        <p>{commonWords.notFoundText(storyId)}</p>
      ) : (
        <Answer query={query}>{(story) => <LoadedStory run={run} story={story} />}</Answer>
      )}
    </section>
  );
}

function LoadedStory({ run, story }: { readonly run: Run; readonly story: Story }): ReactNode {
  const lack = useLack('ralph:write');
  const heading = useRef<HTMLHeadingElement>(null);
  const { evidence } = useSearch({ strict: false });
  const [isEditing, setEditing] = useState(false);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'nearest' });
    // The panel is made again for each story.
  }, []);
  const isPending = story.status === 'pending';
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateMark state={storyMark(story)} word={storyWord(story)} />
        <h2 ref={heading} tabIndex={-1} className="min-w-0 font-bold">
          <FreeText text={words.storyTitle(story.story_id, story.title)} />
        </h2>
        <span className="ms-auto flex gap-1">
          {isPending && !isEditing ? (
            <Button disabledReason={lack} onClick={() => setEditing(true)}>
              {words.edit}
            </Button>
          ) : null}
          <CopyIconMenu
            label={commonWords.copyOf(story.story_id)}
            link={`/dashboard/ralph/${run.run_id}/${encodeURIComponent(story.story_id)}`}
            id={story.story_id}
            call={{ method: 'GET', path: `/v1/ralph/runs/${run.run_id}/stories/${encodeURIComponent(story.story_id)}` }}
            command={`switchyard ralph show ${run.run_id} --story ${shellQuote(story.story_id)}`}
            json={story}
          />
        </span>
      </div>
      <p className="mt-1 text-soft">
        <FreeText text={factsOf(story, run)} />
      </p>
      {isPending && isEditing ? (
        <StoryEdit run={run} story={story} onDone={() => setEditing(false)} />
      ) : (
        <div className="mt-3">
          <MarkdownText text={story.description} />
        </div>
      )}
      <CriteriaList story={story} isOpen={evidence === true} />
      <StoryAttempts run={run} story={story} />
      <StoryLearnings run={run} story={story} />
      <StoryChanges run={run} story={story} />
    </>
  );
}

function factsOf(story: Story, run: Run): string {
  return [
    story.result,
    story.iteration > 0 ? words.iterationLong(story.iteration, run.max_iterations) : '',
    story.depends_on === null || story.depends_on.length === 0
      ? ''
      : `${words.dependsOn} ${story.depends_on.join(', ')}`,
    story.agent ?? '',
    story.model ?? '',
    story.carried_from === null ? '' : words.carried,
  ]
    .filter(Boolean)
    .join(' · ');
}
