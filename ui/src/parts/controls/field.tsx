// Fields of forms: a label, a control, a hint, an error.
import { useId, type ReactNode, type Ref } from 'react';
import { cleanTitle } from '../../text/clean.ts';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** Shows the label to screen readers alone. */
  readonly hideLabel?: boolean;
  readonly className?: string;
}

interface Wired {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** A label and what lies under it, wired to the control by ids. */
export function Field({
  label,
  hint,
  error,
  hideLabel = false,
  className = '',
  control,
}: FieldProps & { readonly control: (wired: Wired) => ReactNode }): ReactNode {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].join(' ').trim();
  return (
    <div className={`min-w-0 ${className}`}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'mb-1 block text-sm font-semibold'}>
        {label}
      </label>
      {control({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="mt-1 text-xs text-soft">
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} role="alert" className="mt-1 text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

export const controlClass =
  'w-full min-h-(--control) rounded-sm border border-edge bg-paper px-2 py-1 text-ink placeholder:text-soft aria-invalid:border-bad';

interface TextProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  readonly readOnly?: boolean;
  readonly required?: boolean;
  readonly mono?: boolean;
}

export function TextField({
  type = 'text',
  inputRef,
  list,
  autoComplete = 'off',
  ...props
}: TextProps & {
  readonly type?: 'text' | 'password' | 'search' | 'number' | 'datetime-local' | 'date' | 'url';
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly list?: readonly string[];
  readonly autoComplete?: string;
}): ReactNode {
  const listId = useId();
  return (
    <Field
      {...props}
      control={(wired) => (
        <>
          <input
            {...wired}
            ref={inputRef}
            type={type}
            className={`${controlClass} ${props.mono === true ? 'font-mono' : ''}`}
            value={props.value}
            placeholder={props.placeholder}
            autoFocus={props.autoFocus}
            readOnly={props.readOnly}
            required={props.required}
            autoComplete={autoComplete}
            spellCheck={false}
            list={list === undefined ? undefined : listId}
            onChange={(event) => props.onChange(event.target.value)}
            onBlur={props.onBlur}
          />
          {list === undefined ? null : (
            <datalist id={listId}>
              {list.map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          )}
        </>
      )}
    />
  );
}

/** Grows with its text up to two thirds of the window. */
export function TextArea({
  rows = 4,
  areaRef,
  ...props
}: TextProps & { readonly rows?: number; readonly areaRef?: Ref<HTMLTextAreaElement> }): ReactNode {
  return (
    <Field
      {...props}
      control={(wired) => (
        <textarea
          {...wired}
          ref={areaRef}
          rows={rows}
          dir="auto"
          className={`${controlClass} field-sizing-content max-h-[66vh] resize-y py-1.5 ${props.mono === true ? 'font-mono text-mono' : ''}`}
          value={props.value}
          placeholder={props.placeholder}
          autoFocus={props.autoFocus}
          readOnly={props.readOnly}
          required={props.required}
          onChange={(event) => props.onChange(event.target.value)}
          onBlur={props.onBlur}
        />
      )}
    />
  );
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly disabled?: boolean;
}

/** One of a list, by the browser's own menu. */
export function SelectField<T extends string>({
  value,
  onChange,
  choices,
  ...props
}: FieldProps & {
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly choices: readonly Choice<T>[];
}): ReactNode {
  return (
    <Field
      {...props}
      control={(wired) => (
        <select
          {...wired}
          className={controlClass}
          value={value}
          onChange={(event) => {
            const chosen = choices.find((choice) => choice.value === event.target.value);
            if (chosen !== undefined) onChange(chosen.value);
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} disabled={choice.disabled}>
              {cleanTitle(choice.label)}
            </option>
          ))}
        </select>
      )}
    />
  );
}

export function CheckBox({
  label,
  checked,
  onChange,
  hideLabel = false,
  disabled = false,
  hint,
}: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean, shift: boolean) => void;
  readonly hideLabel?: boolean;
  readonly disabled?: boolean;
  readonly hint?: string;
}): ReactNode {
  return (
    <label className="inline-flex min-h-6 items-start gap-2">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-(--accent)"
        checked={checked}
        disabled={disabled}
        aria-label={hideLabel ? label : undefined}
        onChange={(event) =>
          onChange(event.target.checked, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
        }
      />
      {hideLabel ? null : (
        <span>
          {label}
          {hint === undefined ? null : <span className="block text-xs text-soft">{hint}</span>}
        </span>
      )}
    </label>
  );
}
