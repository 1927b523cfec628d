// The request that is being written: fields for its flat values, and its texts beside them. Both show the same thing.
import type { ReactNode } from 'react';
import { SelectField, TextArea, TextField } from '../../parts/controls/field.tsx';
import { inspectorWords as words } from '../../words/service/en-inspector.ts';
import type { Callable, CallField } from './calls/callable.ts';
import { fieldValue, withFieldValue, type CallDraft } from './calls/call-draft.ts';
import { parseJson } from './calls/json.ts';

export interface FieldError {
  readonly path: string;
  readonly message: string;
}

export interface RequestFormProps {
  readonly call: Callable;
  readonly draft: CallDraft;
  readonly onChange: (draft: CallDraft) => void;
  readonly errors: readonly FieldError[];
  /** Stands under the path, so that it is seen without scrolling over a long form. */
  readonly buttons: ReactNode;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;

export function RequestForm({ call, draft, onChange, errors, buttons }: RequestFormProps): ReactNode {
  const set = (change: Partial<CallDraft>): void => onChange({ ...draft, ...change });
  const isJson = draft.body === '' || parseJson(draft.body) !== undefined || isBytes(draft);
  const elsewhere = errors.filter(({ path }) => !call.fields.some((field) => isAt(field, path, call)));
  return (
    <div className="grid gap-4">
      <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-2">
        <SelectField
          label={words.method}
          value={draft.method}
          onChange={(method) => set({ method })}
          choices={methods.map((method) => ({ value: method, label: method }))}
        />
        <TextField label={words.path} value={draft.path} onChange={(path) => set({ path })} mono />
      </div>
      {buttons}
      {call.fields.length === 0 ? null : (
        <fieldset className="grid min-w-0 grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))] gap-3 rounded-sm border border-line p-3">
          <legend className="px-1 text-sm text-soft">{words.fieldsTitle}</legend>
          {call.fields.map((field) => (
            <FlatField
              key={`${field.place.in} ${field.name}`}
              field={field}
              value={fieldValue(draft, field, call.template)}
              onChange={(value) => onChange(withFieldValue(draft, field, call.template, value))}
              error={errors.find(({ path }) => isAt(field, path, call))?.message}
            />
          ))}
        </fieldset>
      )}
      <TextArea
        label={words.body}
        rows={4}
        mono
        value={draft.body}
        onChange={(body) => set({ body })}
        error={isJson ? undefined : words.bodyWrong}
      />
      <TextArea
        label={words.headers}
        hint={words.headersHint}
        rows={2}
        mono
        value={draft.headers}
        onChange={(headers) => set({ headers })}
      />
      {elsewhere.length === 0 ? null : (
        <ul role="alert" className="text-sm text-bad">
          {elsewhere.map(({ path, message }) => (
            <li key={path}>{words.errorAt(path, message)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function isBytes({ headers }: CallDraft): boolean {
  return /^content-type:\s*application\/octet-stream/im.test(headers);
}

/** The service names a member of the body by its path, of the arguments of a tool by the path in them. */
function isAt({ name, place }: CallField, path: string, { argumentsAt }: Callable): boolean {
  if (place.in === 'query') return path === `/query/${name}`;
  if (place.in === 'path') return path === `/params/${name}` || path === `/path/${name}`;
  if (place.in === 'header') return path.toLowerCase() === `/headers/${name.toLowerCase()}`;
  const inArguments = argumentsAt === undefined ? [] : place.pointer.slice(argumentsAt.length);
  return path === `/${place.pointer.join('/')}` || (inArguments.length > 0 && path === `/${inArguments.join('/')}`);
}

interface FlatFieldProps {
  readonly field: CallField;
  /** Undefined while the text around it cannot be read. */
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

function FlatField({ field, value, onChange, error }: FlatFieldProps): ReactNode {
  const { kind, name, isRequired, hint, choices } = field;
  const shared = {
    label: words.fieldLabel(name, isRequired),
    value: value ?? '',
    onChange,
    error,
    ...(hint !== '' && { hint }),
  };
  if (kind === 'choice' || kind === 'flag') {
    const known = kind === 'flag' ? ['true', 'false'] : choices;
    const offered = ['', ...known, ...(value === undefined || value === '' || known.includes(value) ? [] : [value])];
    return (
      <SelectField
        {...shared}
        choices={offered.map((choice) => ({ value: choice, label: choice === '' ? words.unset : choice }))}
      />
    );
  }
  if (kind === 'long')
    return <TextArea {...shared} className="col-span-full" rows={2} readOnly={value === undefined} />;
  return <TextField {...shared} type={kind === 'number' ? 'number' : 'text'} readOnly={value === undefined} />;
}
