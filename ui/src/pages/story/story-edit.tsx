// The form that changes a story before it begins.
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { changeStory } from '../../data/runs/run-actions.ts';
import type { Run, Story } from '../../data/runs/runs.ts';
import { Button } from '../../parts/controls/button.tsx';
import { TextArea, TextField } from '../../parts/controls/field.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { runWords as words } from '../../words/runs/en-runs.ts';

interface StoryEditProps {
  readonly run: Run;
  readonly story: Story;
  readonly onDone: () => void;
}

export function StoryEdit({ run, story, onDone }: StoryEditProps): ReactNode {
  const before = {
    title: story.title,
    description: story.description,
    criteria: story.criteria.map(({ text }) => text).join('\n'),
    dependsOn: (story.depends_on ?? []).join(', '),
  };
  const [draft, setDraft] = useState(before);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const errorOf = (path: string): string | undefined =>
    error instanceof ApiError ? error.fieldError(path) : undefined;
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      // A field that a person left unchanged is not sent: null and an empty list of dependencies differ.
      await changeStory(run.run_id, story.story_id, {
        ...(draft.title !== before.title && { title: draft.title }),
        ...(draft.description !== before.description && { description: draft.description }),
        ...(draft.criteria !== before.criteria && { criteria: partsOf(draft.criteria, '\n') }),
        ...(draft.dependsOn !== before.dependsOn && { dependsOn: partsOf(draft.dependsOn, ',') }),
      });
      onDone();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <form
      aria-label={words.edit}
      className="mt-3 grid max-w-[80ch] gap-3 border border-line bg-paper p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <p className="text-sm text-soft">{words.editHint}</p>
      <TextField
        label={words.editFields.title}
        value={draft.title}
        onChange={(title) => setDraft({ ...draft, title })}
        error={errorOf('/title')}
        autoFocus
      />
      <TextArea
        label={words.editFields.description}
        value={draft.description}
        onChange={(description) => setDraft({ ...draft, description })}
        error={errorOf('/description')}
      />
      <TextArea
        label={words.editFields.criteria}
        value={draft.criteria}
        onChange={(criteria) => setDraft({ ...draft, criteria })}
        error={errorOf('/criteria')}
      />
      <TextField
        label={words.editFields.dependsOn}
        value={draft.dependsOn}
        onChange={(dependsOn) => setDraft({ ...draft, dependsOn })}
        error={errorOf('/dependsOn')}
        mono
      />
      {error === undefined ? null : (
        <p role="alert" className="text-bad">
          {failureText(error)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{words.stopEditing}</Button>
        <Button type="submit" kind="primary" busy={isBusy}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}

function partsOf(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
