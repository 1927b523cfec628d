// The learnings of a story, for the iterations that follow.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { learningsQuery, type Run, type Story } from '../../data/runs/runs.ts';
import { Ago } from '../../parts/marks/time.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { cleanText } from '../../text/clean.ts';
import { runWords as words } from '../../words/runs/en-runs.ts';

export function StoryLearnings({ run, story }: { readonly run: Run; readonly story: Story }): ReactNode {
  const query = useQuery(learningsQuery(run.run_id, story.story_id));
  return (
    <section aria-labelledby="story-learnings" className="mt-5">
      <h3 id="story-learnings" className="mb-1 font-semibold">
        {words.learnings}
      </h3>
      <Answer query={query} rows={2}>
        {(learnings) =>
          learnings.length === 0 ? (
            <p className="text-sm text-soft">{words.noLearnings}</p>
          ) : (
            <ul className="grid gap-2">
              {learnings.map(({ id, kind, author, text, at }) => (
                <li key={id} className="border-s-2 border-line ps-3">
                  <p className="text-sm text-soft">
                    {words.learningKinds[kind]} {words.authors[author]} · <Ago at={at} />
                  </p>
                  <p dir="auto" className="max-w-[90ch] whitespace-pre-wrap">
                    {cleanText(text)}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </section>
  );
}
