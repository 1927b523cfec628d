// The filters of the audit as a form; what is set goes into the address.
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Button } from '../../parts/controls/button.tsx';
import { SelectField, TextField } from '../../parts/controls/field.tsx';
import { auditWords as words } from '../../words/service/en-audit.ts';
import { outcomes, type AuditFilter } from './audit-search.ts';

const texts = ['actor', 'action', 'resource'] as const;
const times = ['from', 'to'] as const;
const ids = ['request', 'task', 'credential'] as const;

export function AuditFilterForm({ filter }: { readonly filter: AuditFilter }): ReactNode {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(filter);
  const set = (change: Partial<AuditFilter>): void => setDraft({ ...draft, ...change });
  return (
    <form
      role="search"
      aria-label={words.filterLabel}
      data-filter
      className="px-(--page) py-3"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({ to: '/v1/monitor/audit', search: draft });
      }}
    >
      <div className="grid grid-cols-2 items-end gap-2 md:grid-cols-[repeat(4,minmax(0,1fr))_auto]">
        {texts.map((name) => (
          <TextField
            key={name}
            label={words.filters[name]}
            value={draft[name] ?? ''}
            onChange={(text) => set({ [name]: valueOf(text) })}
            placeholder={words.examples[name]}
          />
        ))}
        <SelectField
          label={words.filters.outcome}
          value={draft.outcome ?? ''}
          onChange={(outcome) => set({ outcome: outcome === '' ? undefined : outcome })}
          choices={[
            { value: '', label: words.anyOutcome },
            ...outcomes.map((value) => ({ value, label: words.outcomes[value] })),
          ]}
        />
        <Button type="submit" className="col-span-2 md:col-span-1">
          {words.apply}
        </Button>
      </div>
      <details className="mt-2" open={[...times, ...ids].some((name) => filter[name] !== undefined)}>
        <summary className="min-h-6 w-fit cursor-pointer rounded-sm text-sm text-soft">{words.moreFilters}</summary>
        <div className="mt-2 grid grid-cols-2 gap-2 md:grid-cols-5">
          {times.map((name) => (
            <TextField
              key={name}
              label={words.filters[name]}
              type="datetime-local"
              value={localTime(draft[name])}
              onChange={(text) => set({ [name]: text === '' ? undefined : new Date(text).toISOString() })}
            />
          ))}
          {ids.map((name) => (
            <TextField
              key={name}
              label={words.filters[name]}
              value={draft[name] ?? ''}
              onChange={(text) => set({ [name]: valueOf(text) })}
              placeholder={words.examples[name]}
              mono
            />
          ))}
        </div>
      </details>
    </form>
  );
}

function valueOf(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}

/** A time in the form and zone of the browser's own field, to the minute. */
function localTime(at: string | undefined): string {
  if (at === undefined) return '';
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
