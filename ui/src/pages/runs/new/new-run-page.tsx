// The form of a new run: its PRD as text with what the check says beside it, its codebase, its options.
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { useRepositories, workersQuery } from '../../../data/fleet/fleet.ts';
import { lintPrd, type Lint } from '../../../data/runs/prd-chats.ts';
import { startRun } from '../../../data/runs/run-actions.ts';
import { Page } from '../../../frame/page.tsx';
import { useActions } from '../../../keys/actions.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { SelectField, TextArea } from '../../../parts/controls/field.tsx';
import { LintList } from '../../../parts/prd/lint-list.tsx';
import { failureText } from '../../../parts/states/failure.tsx';
import { NoRead } from '../../../parts/states/no-read.tsx';
import { useLack } from '../../../session/use-me.ts';
import { runWords as words } from '../../../words/runs/en-runs.ts';
import { RunOptions } from './run-options.tsx';
import { RunsOff, useRunsAreOff } from '../list/runs-off.tsx';
import { dropRunDraft, keepRunDraft, readRunDraft, runBodyOf, wrongNumbers, type RunDraft } from './new-run-draft.ts';

export function NewRunPage(): ReactNode {
  const lack = useLack('ralph:read');
  if (lack !== undefined) return <NoRead title={words.newTitle} permission="ralph:read" />;
  return (
    <Page title={words.newTitle} below={<RunsOff />}>
      <NewRunForm />
    </Page>
  );
}

type LintState = Lint | 'checking' | { readonly problem: string } | undefined;

function NewRunForm(): ReactNode {
  const lack = useLack('ralph:write');
  const isOff = useRunsAreOff();
  const [draft, setDraft] = useState<RunDraft>(readRunDraft);
  const [lint, setLint] = useState<LintState>();
  const form = useStart(draft);
  const set = (change: Partial<RunDraft>): void => setDraft((before) => ({ ...before, ...change }));
  useEffect(() => keepRunDraft(draft), [draft]);
  useActions([{ id: 'start', label: words.startRun, keys: 'mod+Enter', group: 'page', run: () => void form.start() }]);
  const check = async (): Promise<void> => {
    if (draft.prd.trim() === '') return setLint(undefined);
    setLint('checking');
    try {
      setLint(await lintPrd(draft.prd));
    } catch (failure) {
      setLint({ problem: failureText(failure) });
    }
  };
  return (
    <form
      className="grid gap-6 p-(--page) lg:grid-cols-[minmax(0,1fr)_minmax(0,380px)]"
      onSubmit={(event) => {
        event.preventDefault();
        void form.start();
      }}
    >
      <TextArea
        label={words.newFields.prd}
        hint={words.newHints.prd}
        rows={18}
        value={draft.prd}
        onChange={(prd) => set({ prd })}
        onBlur={() => void check()}
        error={form.errorOf('/prd')}
        autoFocus
        mono
      />
      <div className="grid content-start gap-5">
        <LintResult lint={lint} />
        <CodebaseField draft={draft} set={set} error={form.errorOf('/codebase_id')} />
        <RunOptions draft={draft} set={set} errorOf={form.errorOf} />
        {form.error === undefined ? null : (
          <p role="alert" className="text-bad">
            {failureText(form.error)}
          </p>
        )}
        <div>
          <Button type="submit" kind="primary" busy={form.isBusy} disabledReason={isOff ? words.off : lack}>
            {words.startRun}
          </Button>
        </div>
      </div>
    </form>
  );
}

interface StartForm {
  readonly start: () => Promise<void>;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly errorOf: (path: string) => string | undefined;
}

function useStart(draft: RunDraft): StartForm {
  const navigate = useNavigate();
  // One key for the whole life of the form: a double click starts one run.
  const [key] = useState(() => crypto.randomUUID());
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    if (isBusy) return;
    if (draft.prd.trim() === '') return setError(new Error(words.prdMissing));
    if (wrongNumbers(draft).length > 0) return setError(new Error(words.numberWrong));
    setBusy(true);
    setError(undefined);
    try {
      const id = await startRun(runBodyOf(draft), key);
      dropRunDraft();
      await navigate({ to: '/dashboard/ralph/$id', params: { id } });
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const errorOf = (path: string): string | undefined =>
    error instanceof ApiError ? error.fieldError(path) : undefined;
  return { start, error, isBusy, errorOf };
}

interface CodebaseFieldProps {
  readonly draft: RunDraft;
  readonly set: (change: Partial<RunDraft>) => void;
  readonly error: string | undefined;
}

/** Codebases that an online worker has come first; the first one is chosen. */
function CodebaseField({ draft, set, error }: CodebaseFieldProps): ReactNode {
  const codebases = useRepositories();
  const { data: workers = [] } = useQuery(workersQuery());
  const online = workers.filter(({ status }) => status === 'active');
  const serves = (id: string): boolean => online.some((worker) => worker.codebases.includes(id));
  const sorted = codebases.toSorted((a, b) => Number(serves(b.codebase_id)) - Number(serves(a.codebase_id)));
  const [first] = sorted;
  const isUnset = draft.codebase === '' && first !== undefined && serves(first.codebase_id);
  useEffect(() => {
    if (isUnset) set({ codebase: first.codebase_id });
  });
  return (
    <SelectField
      label={words.newFields.codebase}
      value={draft.codebase}
      onChange={(codebase) => set({ codebase })}
      error={error}
      choices={[
        { value: '', label: words.chooseCodebase },
        ...sorted.map(({ codebase_id, name }) => ({
          value: codebase_id,
          label: serves(codebase_id) ? name : words.noWorker(name),
        })),
      ]}
    />
  );
}

function LintResult({ lint }: { readonly lint: LintState }): ReactNode {
  return (
    <section aria-labelledby="prd-lint" className="min-w-0">
      <h2 id="prd-lint" className="mb-1 font-semibold">
        {words.lint}
      </h2>
      <div aria-live="polite">
        <LintText lint={lint} />
      </div>
    </section>
  );
}

function LintText({ lint }: { readonly lint: LintState }): ReactNode {
  if (lint === undefined) return <p className="text-sm text-soft">{words.lintWait}</p>;
  if (lint === 'checking') return <p className="text-sm text-soft">{words.checking}</p>;
  if ('problem' in lint) return <p className="text-sm text-bad">{lint.problem}</p>;
  const { errors, warnings } = lint;
  if (errors.length + warnings.length === 0) return <p className="text-sm text-ok">{words.lintFine}</p>;
  return (
    <>
      <p className="mb-2 text-sm text-soft">
        {[
          errors.length > 0 ? words.lintErrors(errors.length) : words.lintValid,
          ...(warnings.length > 0 ? [words.lintWarnings(warnings.length)] : []),
        ].join(' · ')}
      </p>
      <div className="grid gap-2">
        <LintList label={words.lintErrorsLabel} kind="error" findings={errors} />
        <LintList label={words.lintWarningsLabel} kind="warning" findings={warnings} />
      </div>
    </>
  );
}
