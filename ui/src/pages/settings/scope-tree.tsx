// The scopes of a new key: a checkbox for each that the caller holds, by resource, and one for the whole resource.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../../parts/controls/button.tsx';
import { CheckBox } from '../../parts/controls/field.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { useMe } from '../../session/use-me.ts';
import { settingsWords } from '../../words/service/en-settings.ts';
import { grantable, matrixQuery, resourcesOf, type ResourceScopes } from './scopes.ts';

const words = settingsWords.keys;

export interface ScopeTreeProps {
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
  readonly error: string | undefined;
}

export function ScopeTree({ chosen, onChange, error }: ScopeTreeProps): ReactNode {
  const matrix = useQuery(matrixQuery());
  const held = useMe()?.permissions ?? [];
  const set = (scopes: readonly string[], isOn: boolean): void => {
    const next = new Set(chosen);
    for (const scope of scopes) {
      if (isOn) next.add(scope);
      else next.delete(scope);
    }
    onChange(next);
  };
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-semibold">{words.scopes}</legend>
      <p className="mb-2 text-xs text-soft">{words.scopesHint}</p>
      <Answer query={matrix} rows={4}>
        {(roles) => {
          const { all, roles: presets } = grantable(roles, held);
          return (
            <>
              <div role="group" aria-label={words.presets} className="mb-3 flex flex-wrap gap-1">
                {presets.map(({ role, scopes }) => (
                  <Button key={role} kind="quiet" onClick={() => onChange(new Set(scopes))}>
                    {words.preset(role)}
                  </Button>
                ))}
                <Button kind="quiet" onClick={() => onChange(new Set())}>
                  {words.clear}
                </Button>
              </div>
              <ul className="grid gap-x-6 gap-y-3 md:grid-cols-3">
                {resourcesOf(all).map((group) => (
                  <ResourceGroup key={group.resource} group={group} chosen={chosen} set={set} />
                ))}
              </ul>
            </>
          );
        }}
      </Answer>
      <p role="status" className="mt-2 text-xs text-soft">
        {words.chosen(chosen.size)}
      </p>
      {error === undefined ? null : (
        <p role="alert" className="mt-1 text-sm text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function ResourceGroup({
  group,
  chosen,
  set,
}: {
  readonly group: ResourceScopes;
  readonly chosen: ReadonlySet<string>;
  readonly set: (scopes: readonly string[], isOn: boolean) => void;
}): ReactNode {
  const { resource, permissions } = group;
  const on = permissions.filter((permission) => chosen.has(permission)).length;
  return (
    <li>
      <label className="flex min-h-6 items-start gap-2 font-semibold">
        <WholeBox
          name={words.allOf(resource)}
          state={on === 0 ? 'none' : on === permissions.length ? 'all' : 'some'}
          onChange={(isOn) => set(permissions, isOn)}
        />
        {resource}
      </label>
      <ul className="ms-6">
        {permissions.map((permission) => (
          <li key={permission} className="font-mono text-mono">
            <CheckBox
              label={permission}
              checked={chosen.has(permission)}
              onChange={(isOn) => set([permission], isOn)}
            />
          </li>
        ))}
      </ul>
    </li>
  );
}

/** A checkbox of three states: none, some, all. */
function WholeBox({
  name,
  state,
  onChange,
}: {
  readonly name: string;
  readonly state: 'none' | 'some' | 'all';
  readonly onChange: (isOn: boolean) => void;
}): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = state === 'some';
  }, [state]);
  return (
    <input
      ref={box}
      type="checkbox"
      className="mt-0.5 size-4 shrink-0 accent-(--accent)"
      aria-label={name}
      checked={state === 'all'}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
