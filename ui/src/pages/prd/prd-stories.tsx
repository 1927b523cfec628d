// The stories of a PRD with their criteria and checks, and what is wrong or weak in each.
import type { ReactNode } from 'react';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { MarkdownText } from '../../parts/markdown.tsx';
import { LintList } from '../../parts/prd/lint-list.tsx';
import { cleanText, cleanTitle } from '../../text/clean.ts';
import { runWords } from '../../words/runs/en-runs.ts';
import { prdWords as words } from '../../words/runs/en-prd.ts';
import type { PrdStory } from './prd-document.ts';
import type { PrdMarks } from './prd-marks.ts';

interface PrdStoriesProps {
  readonly stories: readonly PrdStory[];
  readonly marks: PrdMarks;
}

export function PrdStories({ stories, marks }: PrdStoriesProps): ReactNode {
  return (
    <div>
      <h3 className="mb-1 text-sm text-soft">{words.stories(stories.length)}</h3>
      <ul className="border-t border-line">
        {stories.map((story, index) => (
          <li key={`${index} ${story.id}`} className="border-b border-line py-3">
            <Story story={story} marks={marks} path={`userStories.${index}`} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface StoryProps {
  readonly story: PrdStory;
  readonly marks: PrdMarks;
  readonly path: string;
}

function Story({ story, marks, path }: StoryProps): ReactNode {
  const { errors, warnings } = marks.at(path);
  return (
    <div className="grid gap-2">
      <h4 className="font-semibold">
        <span className="font-mono text-xs text-soft">
          <FreeText text={story.id} />
        </span>{' '}
        <FreeText text={story.title} />
        {story.dependsOn.length === 0 ? null : (
          <span className="ms-2 text-sm font-normal text-soft">
            <FreeText text={words.dependsOn(story.dependsOn.join(', '))} />
          </span>
        )}
      </h4>
      <MarkdownText text={story.description} />
      <ol aria-label={words.criteria} className="ms-5 list-decimal">
        {story.criteria.map((text, index) => (
          <li key={`${index} ${text}`}>
            <FreeText text={text} />
            {story.checks
              .filter(({ criterion }) => criterion === index)
              .map(({ command }) => (
                <code key={command} className="block font-mono text-mono break-all whitespace-pre-wrap text-soft">
                  {cleanText(command)}
                </code>
              ))}
          </li>
        ))}
      </ol>
      <LintList label={`${runWords.lintErrorsLabel} ${cleanTitle(story.id)}`} kind="error" findings={errors} />
      <LintList label={`${runWords.lintWarningsLabel} ${cleanTitle(story.id)}`} kind="warning" findings={warnings} />
    </div>
  );
}
