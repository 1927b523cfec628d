// The address of the audit: its filters, and the open entry.
import { oneOf, textOf, timeOf, type RawSearch } from '../../search.ts';

export const outcomes = ['success', 'failure', 'denied'] as const;

export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Beginning of a path. */
  readonly resource?: string | undefined;
  readonly outcome?: (typeof outcomes)[number] | undefined;
  /** Inclusive; a time in ISO 8601. */
  readonly from?: string | undefined;
  /** Exclusive. */
  readonly to?: string | undefined;
  readonly request?: string | undefined;
  readonly task?: string | undefined;
  /** As `metadata.credential`: `key:<id>`, `token:<name>`. */
  readonly credential?: string | undefined;
}

export interface AuditSearch extends AuditFilter {
  /** Id of the entry that is open. */
  readonly entry?: string | undefined;
}

const longestFilter = 500;

export function auditSearch(raw: RawSearch): AuditSearch {
  return {
    actor: textOf(raw['actor'], longestFilter),
    action: textOf(raw['action'], longestFilter),
    resource: textOf(raw['resource'], longestFilter),
    outcome: oneOf(raw['outcome'], outcomes),
    from: timeOf(raw['from']),
    to: timeOf(raw['to']),
    request: textOf(raw['request'], longestFilter),
    task: textOf(raw['task'], longestFilter),
    credential: textOf(raw['credential'], longestFilter),
    entry: textOf(raw['entry']),
  };
}

/** The names of the filters, in the order of the form. */
export const filterNames = [
  'actor',
  'action',
  'resource',
  'outcome',
  'from',
  'to',
  'request',
  'task',
  'credential',
] as const satisfies readonly (keyof AuditFilter)[];

export function auditFilterOf({ entry: _entry, ...filter }: AuditSearch): AuditFilter {
  return filter;
}

export function isFiltered(filter: AuditFilter): boolean {
  return filterNames.some((name) => filter[name] !== undefined);
}
