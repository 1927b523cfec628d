// Goes on with a session of an agent in a new task.
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { ApiError } from '../../api/api-error.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../parts/controls/dialog.tsx';
import { TextArea } from '../../parts/controls/field.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { codebaseWords as words } from '../../words/service/en-codebases.ts';
import { sessionTitle, type Session } from './session.ts';

export function ResumeDialog({
  session,
  onClose,
}: {
  readonly session: Session;
  readonly onClose: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const [prompt, setPrompt] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const resume = async (): Promise<void> => {
    if (isBusy) return;
    if (prompt.trim() === '') return setProblem(words.promptMissing);
    setBusy(true);
    try {
      requireOnline();
      const path = { id: session.codebase_id, sid: session.session_id };
      const params = { path, header: { 'Idempotency-Key': key } };
      const { task } = await dataOf(
        api().POST('/v1/agent/codebases/{id}/sessions/{sid}/resume', { params, body: { prompt } }),
      );
      await navigate({ to: '/v1/monitor/tasks/$id', params: { id: task.id } });
    } catch (error) {
      setProblem((error instanceof ApiError ? error.fieldError('/prompt') : undefined) ?? failureText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={words.resumeTitle(sessionTitle(session))} open onClose={onClose}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the field bubble to its form */}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void resume();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void resume();
        }}
      >
        <TextArea
          label={words.resumePrompt}
          hint={words.resumeHint}
          value={prompt}
          onChange={setPrompt}
          error={problem}
          autoFocus
        />
        <DialogActions>
          <Button type="submit" kind="primary" busy={isBusy}>
            {words.resume}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
