// The form of a new task, with what it means as curl and command line, and whether a worker can take it.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { ApiError } from '../../api/api-error.ts';
import { codebasesQuery, workersQuery, type Worker } from '../../data/fleet/fleet.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { useActions } from '../../keys/actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { curlOf } from '../../parts/controls/copy-menu.tsx';
import { SelectField, TextArea, TextField } from '../../parts/controls/field.tsx';
import { useLatest } from '../../parts/use-latest.ts';
import { failureText } from '../../parts/states/failure.tsx';
import { useLack } from '../../session/use-me.ts';
import { shellQuote } from '../../text/curl.ts';
import { commonWords } from '../../words/en-common.ts';
import { newTaskWords as words } from '../../words/tasks/en-new-task.ts';
import { WhyView } from '../task/head/why-waiting.tsx';
import { bodyOf, dropDraft, isMetadata, keepDraft, type TaskDraft, type NewTaskBody } from './task-draft.ts';

const draftMs = 400;

export interface NewTaskFormProps {
  readonly initial: TaskDraft;
  readonly note: string | undefined;
  /** The form lies over a page: the calls that mean the same are folded. */
  readonly isPanel?: boolean;
  readonly onCreated: (id: string) => void;
}

export function NewTaskForm({ initial, note, isPanel = false, onCreated }: NewTaskFormProps): ReactNode {
  const lack = useLack('tasks:write');
  const [draft, setDraft] = useState<TaskDraft>(initial);
  // One key for the whole life of the form: a double click makes one task.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const set = (change: Partial<TaskDraft>): void => setDraft((before) => ({ ...before, ...change }));
  useEffect(() => keepDraft(draft), [draft]);
  const body = useMemo(() => bodyOf(draft), [draft]);
  const create = async (): Promise<void> => {
    if (draft.prompt.trim() === '' || !isMetadata(draft.metadata) || isBusy)
      return setError(new Error(words.promptMissing));
    setBusy(true);
    setError(undefined);
    try {
      requireOnline();
      const params = { header: { 'Idempotency-Key': idempotencyKey } };
      const { task } = await dataOf(api().POST('/v1/agent/tasks', { params, body }));
      dropDraft();
      onCreated(task.id);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const latest = useLatest(create);
  useActions(
    useMemo(
      () => [
        {
          id: 'create',
          label: words.create,
          keys: 'mod+Enter',
          group: 'page' as const,
          run: () => void latest.current(),
        },
      ],
      [latest],
    ),
  );
  const errorOf = (path: string): string | undefined =>
    error instanceof ApiError ? error.fieldError(path) : undefined;
  return (
    <div className={isPanel ? 'grid gap-4' : 'grid gap-6 lg:grid-cols-[minmax(0,72ch)_minmax(0,1fr)]'}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        {note === undefined ? null : <p className="text-soft">{note}</p>}
        <TextArea
          label={words.fields.prompt}
          rows={6}
          value={draft.prompt}
          onChange={(prompt) => set({ prompt })}
          error={errorOf('/prompt')}
          autoFocus
        />
        <TextField
          label={words.fields.title}
          hint={words.hints.title}
          value={draft.title}
          onChange={(title) => set({ title })}
          error={errorOf('/title')}
        />
        <PlaceFields draft={draft} set={set} errorOf={errorOf} />
        <MoreFields draft={draft} set={set} errorOf={errorOf} />
        <Why body={body} />
        {error === undefined ? null : (
          <p role="alert" className="text-bad">
            {failureText(error)}
          </p>
        )}
        <div>
          <Button type="submit" kind="primary" busy={isBusy} disabledReason={lack}>
            {words.create}
          </Button>
        </div>
      </form>
      {isPanel ? (
        <details>
          <summary className="min-h-6 cursor-pointer text-soft">{words.sameCall}</summary>
          <div className="mt-2">
            <SameCall body={body} />
          </div>
        </details>
      ) : (
        <SameCall body={body} />
      )}
    </div>
  );
}

interface FieldsProps {
  readonly draft: TaskDraft;
  readonly set: (change: Partial<TaskDraft>) => void;
  readonly errorOf: (path: string) => string | undefined;
}

/** Codebase, agent and model: those that an online worker has come first. */
function PlaceFields({ draft, set, errorOf }: FieldsProps): ReactNode {
  const { data: codebases = [] } = useQuery(codebasesQuery());
  const { data: workers = [] } = useQuery(workersQuery());
  const online = workers.filter(({ status }) => status === 'active');
  const serves = (id: string): boolean => online.some((worker) => worker.codebases.includes(id));
  const able = online.filter((worker) => draft.codebase === '' || worker.codebases.includes(draft.codebase));
  const sorted = codebases.toSorted((a, b) => Number(serves(b.codebase_id)) - Number(serves(a.codebase_id)));
  const first = sorted[0];
  const isUnset = draft.codebase === '' && codebases.length > 0;
  useEffect(() => {
    if (isUnset) set({ codebase: first !== undefined && serves(first.codebase_id) ? first.codebase_id : 'global' });
  });
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <SelectField
        label={words.fields.codebase}
        value={draft.codebase}
        onChange={(codebase) => set({ codebase })}
        error={errorOf('/codebase_id')}
        choices={[
          { value: 'global', label: words.anyCodebase },
          ...sorted.map(({ codebase_id, name }) => ({
            value: codebase_id,
            label: serves(codebase_id) ? name : words.offline(name),
          })),
        ]}
      />
      <TextField
        label={words.fields.agent}
        value={draft.agent}
        onChange={(agent) => set({ agent })}
        placeholder={words.anyAgent}
        list={namesOf(able, ({ agents }) => agents)}
        error={errorOf('/agent_type')}
      />
      <TextField
        label={words.fields.model}
        value={draft.model}
        onChange={(model) => set({ model })}
        list={namesOf(able, ({ models }) => models)}
        error={errorOf('/model')}
      />
    </div>
  );
}

function namesOf(workers: readonly Worker[], of: (worker: Worker) => readonly string[]): readonly string[] {
  return [...new Set(workers.flatMap(of))].toSorted();
}

function MoreFields({ draft, set, errorOf }: FieldsProps): ReactNode {
  const { data: workers = [] } = useQuery(workersQuery());
  return (
    <details className="rounded-sm border border-line p-3">
      <summary className="min-h-6 cursor-pointer font-semibold">{words.more}</summary>
      <div className="mt-3 grid gap-4 md:grid-cols-2">
        <TextField
          label={words.fields.priority}
          type="number"
          value={draft.priority}
          onChange={(priority) => set({ priority })}
          hint={words.hints.priority}
          error={errorOf('/priority')}
        />
        <TextField
          label={words.fields.deadline}
          type="datetime-local"
          value={draft.deadline}
          onChange={(deadline) => set({ deadline })}
          error={errorOf('/deadline_at')}
        />
        <TextField
          label={words.fields.attempts}
          type="number"
          value={draft.attempts}
          onChange={(attempts) => set({ attempts })}
          error={errorOf('/max_attempts')}
        />
        <TextField
          label={words.fields.capabilities}
          value={draft.capabilities}
          onChange={(capabilities) => set({ capabilities })}
          hint={words.hints.capabilities}
          error={errorOf('/required_capabilities')}
        />
        <SelectField
          label={words.fields.worker}
          value={draft.worker}
          onChange={(worker) => set({ worker })}
          error={errorOf('/target_worker_id')}
          choices={[
            { value: '', label: words.anyWorker },
            ...workers.map(({ worker_id, name }) => ({ value: worker_id, label: name })),
          ]}
        />
        <TextField label={words.fields.base} value={draft.base} onChange={(base) => set({ base })} mono />
        <TextField
          label={words.fields.conversation}
          value={draft.conversation}
          onChange={(conversation) => set({ conversation })}
          error={errorOf('/conversation_id')}
          mono
        />
        <TextField
          label={words.fields.webhook}
          type="url"
          value={draft.webhook}
          onChange={(webhook) => set({ webhook })}
          error={errorOf('/webhook_url')}
        />
        <TextArea
          className="md:col-span-2"
          label={words.fields.metadata}
          hint={words.hints.metadata}
          value={draft.metadata}
          onChange={(metadata) => set({ metadata })}
          error={isMetadata(draft.metadata) ? errorOf('/metadata') : words.metadataWrong}
          mono
        />
      </div>
    </details>
  );
}

/** The verdict of the service on the draft, a moment after the last key. */
function Why({ body }: { readonly body: NewTaskBody }): ReactNode {
  const { title: _title, prompt: _prompt, metadata: _metadata, ...route } = body;
  const [asked, setAsked] = useState(route);
  const key = JSON.stringify(route);
  const latest = useLatest(route);
  useEffect(() => {
    // By its value: each key makes a new object.
    const timer = setTimeout(() => setAsked(latest.current), key === '' ? 0 : draftMs);
    return () => clearTimeout(timer);
  }, [key, latest]);
  const { data } = useQuery({
    queryKey: ['why', asked],
    queryFn: async () => dataOf(api().POST('/v1/agent/tasks/why', { body: asked })),
    retry: false,
  });
  const able = data?.workers.filter(({ can }) => can).length ?? 0;
  return (
    <div role="status">
      {data === undefined ? null : able > 0 ? (
        <p className="text-soft">{words.canTake(able)}</p>
      ) : (
        <WhyView why={data} />
      )}
    </div>
  );
}

function SameCall({ body }: { readonly body: NewTaskBody }): ReactNode {
  const flags = [
    `--codebase ${shellQuote(body.codebase_id ?? 'global')}`,
    ...(body.title === undefined ? [] : [`--title ${shellQuote(body.title)}`]),
    ...(body.agent_type === undefined ? [] : [`--agent ${shellQuote(body.agent_type)}`]),
    ...(body.model === undefined ? [] : [`--model ${shellQuote(body.model)}`]),
    ...(body.priority === undefined ? [] : [`--priority ${body.priority}`]),
    ...(body.deadline_at === undefined ? [] : [`--deadline ${body.deadline_at}`]),
    ...(body.max_attempts === undefined ? [] : [`--max-attempts ${body.max_attempts}`]),
    ...(body.required_capabilities ?? []).map((name) => `--capability ${shellQuote(name)}`),
    ...(body.target_worker_id === undefined ? [] : [`--target-worker ${body.target_worker_id}`]),
    ...(body.conversation_id === undefined ? [] : [`--conversation ${shellQuote(body.conversation_id)}`]),
    ...(body.webhook_url === undefined ? [] : [`--webhook-url ${shellQuote(body.webhook_url)}`]),
    ...(body.metadata === undefined ? [] : [`--metadata ${shellQuote(JSON.stringify(body.metadata))}`]),
  ];
  return (
    <div className="grid min-w-0 content-start gap-3">
      <h2 className="font-semibold">{words.asCurl}</h2>
      <CodeLine
        text={curlOf({ method: 'POST', path: '/v1/agent/tasks', body })}
        copyLabel={commonWords.copy}
        copiedLabel={commonWords.copied}
      />
      <h2 className="font-semibold">{words.asCommand}</h2>
      <CodeLine
        text={`switchyard task create ${flags.join(' ')} ${shellQuote(body.prompt)}`}
        copyLabel={commonWords.copy}
        copiedLabel={commonWords.copied}
      />
    </div>
  );
}
