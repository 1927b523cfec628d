// A call that the inspector can make: its name, its arguments, and its first request.
import type { CallDraft } from './call-draft.ts';

/** A flat value of a request that has a field of its own. */
export interface CallField {
  readonly name: string;
  readonly kind: 'text' | 'long' | 'number' | 'flag' | 'choice';
  readonly choices: readonly string[];
  readonly isRequired: boolean;
  readonly hint: string;
  readonly place: FieldPlace;
}

/** The place of the value: a segment `{name}` of the path, a parameter of the query, a header, or a member of the body. */
export type FieldPlace =
  | { readonly in: 'path' }
  | { readonly in: 'query' }
  | { readonly in: 'header' }
  | { readonly in: 'body'; readonly pointer: readonly string[] };

export interface Callable {
  /** Names it in the address of the page; unique within a part. */
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly summary: string;
  /** Path with `{names}` for the fields that lie in it. */
  readonly template: string;
  readonly fields: readonly CallField[];
  readonly draft: CallDraft;
  /** Facts in words: needed permission, audit action, hints. */
  readonly facts: readonly string[];
  /** Name of the tool whose permission is asked for when the call is opened. */
  readonly tool?: string;
  /** The place of the arguments in the body, so that the service's error paths find their fields. */
  readonly argumentsAt?: readonly string[];
}
