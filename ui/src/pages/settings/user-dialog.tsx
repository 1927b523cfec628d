// Makes a user, or changes the name, roles and status of one.
import { useState, type ReactNode } from 'react';
import type { Schemas } from '../../../../src/client/client.ts';
import { ApiError } from '../../api/api-error.ts';
import { api, dataOf } from '../../api/api.ts';
import { queryClient } from '../../api/query-client.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../parts/controls/dialog.tsx';
import { CheckBox, SelectField, TextField } from '../../parts/controls/field.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { notify } from '../../parts/states/notices.tsx';
import { settingsWords } from '../../words/service/en-settings.ts';

type User = Schemas['User'];
type Role = User['roles'][number];
const words = settingsWords.users;
const allRoles = ['viewer', 'editor', 'operator', 'admin', 'agent'] as const satisfies readonly Role[];

export function UserDialog({
  user,
  onClose,
}: {
  /** Undefined: a new one. */
  readonly user: User | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const [id, setId] = useState(user?.user_id ?? '');
  const [name, setName] = useState(user?.name ?? '');
  const [roles, setRoles] = useState<readonly Role[]>(user?.roles ?? ['viewer']);
  const [status, setStatus] = useState<User['status']>(user?.status ?? 'active');
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await putUser(id.trim(), { ...(name.trim() !== '' && { name: name.trim() }), roles: [...roles], status });
      onClose();
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  const field = (path: string): string | undefined =>
    problem instanceof ApiError ? problem.fieldError(path) : undefined;
  return (
    <Dialog title={user === undefined ? words.newUser : words.editTitle(user.name)} open onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {user === undefined ? (
          <TextField
            label={words.subject}
            hint={words.subjectHint}
            value={id}
            onChange={setId}
            error={field('/id')}
            required
            autoFocus
          />
        ) : null}
        <TextField label={words.name} value={name} onChange={setName} error={field('/name')} />
        <fieldset>
          <legend className="mb-1 text-sm font-semibold">{words.roles}</legend>
          <div className="flex flex-wrap gap-x-5 gap-y-1">
            {allRoles.map((role) => (
              <CheckBox
                key={role}
                label={role}
                checked={roles.includes(role)}
                onChange={(isOn) => setRoles(allRoles.filter((one) => (one === role ? isOn : roles.includes(one))))}
              />
            ))}
          </div>
        </fieldset>
        <SelectField
          className="max-w-60"
          label={words.status}
          value={status}
          onChange={setStatus}
          choices={(['active', 'disabled'] as const).map((value) => ({ value, label: words.statuses[value] }))}
        />
        {problem === undefined ? null : (
          <p role="alert" className="text-bad">
            {failureText(problem)}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>{words.close}</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

async function putUser(
  id: string,
  body: { readonly name?: string; readonly roles: Role[]; readonly status: User['status'] },
): Promise<void> {
  requireOnline();
  await dataOf(api().PUT('/v1/auth/users/{id}', { params: { path: { id } }, body }));
  notify(words.saved);
  await queryClient.invalidateQueries({ queryKey: ['users'] });
}
