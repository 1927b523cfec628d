// The days that the costs are of.
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { TextField } from '../../parts/controls/field.tsx';
import { costsWords as words } from '../../words/service/en-costs.ts';
import type { CostsSearch } from './costs-search.ts';
import { lastDays, type DayRange } from './usage.ts';

const presets = [7, 30, 90] as const;

export function RangeForm({ search, range }: { readonly search: CostsSearch; readonly range: DayRange }): ReactNode {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(range);
  return (
    <form
      aria-label={words.range}
      className="flex flex-wrap items-end gap-2 px-(--page) py-3"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({ to: '/v1/monitor/costs', search: { ...search, ...draft } });
      }}
    >
      {(['from', 'to'] as const).map((end) => (
        <TextField
          key={end}
          className="w-40"
          label={words[end]}
          type="date"
          value={draft[end]}
          onChange={(day) => setDraft({ ...draft, [end]: day })}
          required
        />
      ))}
      <Button type="submit">{words.apply}</Button>
      <span className="flex flex-wrap gap-1 md:ms-auto">
        {presets.map((days) => (
          <Link
            key={days}
            to="/v1/monitor/costs"
            search={{ ...search, ...lastDays(days) }}
            activeOptions={{ exact: true }}
            className={buttonClass('quiet')}
          >
            {words.last(days)}
          </Link>
        ))}
      </span>
    </form>
  );
}
