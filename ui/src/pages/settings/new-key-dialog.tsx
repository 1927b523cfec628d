// Makes an API key: name, scopes, end. Its secret is shown once, and is nowhere on the page after "I have it".
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { api, dataOf } from '../../api/api.ts';
import { queryClient } from '../../api/query-client.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { Dialog, DialogActions } from '../../parts/controls/dialog.tsx';
import { SelectField, TextField } from '../../parts/controls/field.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { commonWords } from '../../words/en-common.ts';
import { settingsWords } from '../../words/service/en-settings.ts';
import { ScopeTree } from './scope-tree.tsx';

const words = settingsWords.keys;

interface CreatedKey {
  readonly name: string;
  readonly secret: string;
}

export function NewKeyDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [created, setCreated] = useState<CreatedKey>();
  if (created === undefined) {
    return (
      <Dialog title={words.newKey} open onClose={onClose} wide>
        <NewKeyForm onClose={onClose} onCreated={setCreated} />
      </Dialog>
    );
  }
  // Escape would lose what nobody can show again.
  return (
    <Dialog title={words.createdTitle(created.name)} open onClose={() => undefined}>
      <p className="mb-3">{words.createdText}</p>
      <div role="group" aria-label={words.createdLabel}>
        <CodeLine text={created.secret} copyLabel={commonWords.copy} copiedLabel={commonWords.copied} />
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {words.have}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const expiries = ['7', '30', '90', '365', '0'] as const;
type Expiry = (typeof expiries)[number];

interface Problems {
  readonly name?: string | undefined;
  readonly scopes?: string | undefined;
  readonly other?: string | undefined;
}

function NewKeyForm({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKey) => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set());
  const [expiry, setExpiry] = useState<Expiry>('90');
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setBusy] = useState(false);
  const create = async (): Promise<void> => {
    const missing = {
      name: name.trim() === '' ? words.noName : undefined,
      scopes: scopes.size === 0 ? words.noScope : undefined,
    };
    setProblems(missing);
    if (missing.name !== undefined || missing.scopes !== undefined) return;
    setBusy(true);
    try {
      requireOnline();
      const days = Number(expiry);
      const body = { name: name.trim(), scopes: [...scopes], ...(days > 0 && { expires_in_days: days }) };
      const { api_key, key } = await dataOf(api().POST('/v1/auth/api-keys', { body }));
      await queryClient.invalidateQueries({ queryKey: ['api-keys'] });
      onCreated({ name: api_key.name, secret: key });
    } catch (error) {
      setProblems(problemsOf(error));
      setBusy(false);
    }
  };
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <TextField
        label={words.name}
        hint={words.nameHint}
        value={name}
        onChange={setName}
        error={problems.name}
        autoFocus
      />
      <ScopeTree chosen={scopes} onChange={setScopes} error={problems.scopes} />
      <SelectField
        className="max-w-60"
        label={words.expiry}
        value={expiry}
        onChange={setExpiry}
        choices={expiries.map((value) => ({ value, label: words.expiries[value] }))}
      />
      {problems.other === undefined ? null : (
        <p role="alert" className="text-bad">
          {problems.other}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose}>{words.close}</Button>
        <Button kind="primary" type="submit" busy={isBusy}>
          {words.create}
        </Button>
      </DialogActions>
    </form>
  );
}

function problemsOf(error: unknown): Problems {
  if (!(error instanceof ApiError)) return { other: failureText(error) };
  const name = error.fieldError('/name');
  const scopes = error.code === 'scopes_too_wide' ? error.message : error.fieldError('/scopes');
  return { name, scopes, other: name === undefined && scopes === undefined ? failureText(error) : undefined };
}
