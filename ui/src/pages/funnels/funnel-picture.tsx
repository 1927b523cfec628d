// The picture of a funnel: a bar for each step, as long as the part of the first step's people that reached it. The hatched rest
// is what the step lost.
import type { ReactNode } from 'react';
import type { FunnelReport, FunnelStep } from '../../data/funnels.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { funnelWords as words } from '../../words/en-funnels.ts';

export function FunnelPicture({ report }: { readonly report: FunnelReport }): ReactNode {
  const { steps, funnel_name: name } = report;
  return (
    <table aria-label={words.picture(name)} className="block w-full text-start md:table md:border-collapse">
      <thead className="sr-only md:not-sr-only">
        <tr className="border-b border-edge text-xs text-soft">
          {[words.step, words.people, words.ofFirst, words.ofBefore, words.lost].map((head, i) => (
            <th
              key={head}
              scope="col"
              className={`py-1 font-normal ${i === 0 ? 'text-start' : 'ps-4 text-end whitespace-nowrap'}`}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block md:table-row-group">
        {steps.map((step, i) => (
          <StepRow key={i} step={step} before={steps[i - 1]} first={steps[0]} />
        ))}
      </tbody>
    </table>
  );
}

interface StepRowProps {
  readonly step: FunnelStep;
  readonly before: FunnelStep | undefined;
  readonly first: FunnelStep | undefined;
}

/** Hatched: a shape as well as a colour. */
const lostClass =
  'h-full border-e border-edge bg-[repeating-linear-gradient(135deg,var(--edge)_0_1px,transparent_1px_6px)]';

const cell =
  'inline-block pe-3 text-sm md:table-cell md:ps-4 md:pe-0 md:pb-2 md:text-end md:align-bottom md:whitespace-nowrap md:text-base';

function StepRow({ step, before, first }: StepRowProps): ReactNode {
  const whole = first?.count ?? 0;
  return (
    <tr className="block border-b border-line py-2 md:table-row md:py-0">
      <th scope="row" className="block min-w-0 py-1 text-start font-semibold md:table-cell md:w-full md:py-2">
        <span className="break-words">
          <FreeText text={step.step_name} />
        </span>
        {step.step_name === step.event_type ? null : (
          <span className="ms-2 text-xs font-normal text-soft">{words.event(step.event_type)}</span>
        )}
        <span className="mt-1 flex h-5 bg-sunk" aria-hidden data-bar={step.overall_rate ?? 0}>
          <span className="h-full bg-accent" style={{ inlineSize: partOf(step.count, whole) }} />
          <span
            className={lostClass}
            style={{ inlineSize: partOf((before?.count ?? step.count) - step.count, whole) }}
          />
        </span>
      </th>
      <td className={`${cell} font-semibold`}>
        <span className="md:hidden">{words.peopleText(step.count)}</span>
        <span className="hidden md:inline">{words.number(step.count)}</span>
      </td>
      <td className={cell}>
        <Rate rate={step.overall_rate} text={words.ofFirstText} />
      </td>
      <td className={cell}>
        <Rate rate={step.conversion_rate} text={words.ofBeforeText} />
      </td>
      <td className={`${cell} text-soft`}>
        <span className="md:hidden">{words.lostText(step.dropped)}</span>
        <span className="hidden md:inline">{words.number(step.dropped)}</span>
      </td>
    </tr>
  );
}

/** On a phone the number names its whole; beside others it stands under its heading. */
function Rate({ rate, text }: { readonly rate: number | null; readonly text: (share: string) => string }): ReactNode {
  const share = rate === null ? words.noRate : words.percent(rate);
  return (
    <>
      <span className="md:hidden">{text(share)}</span>
      <span className="hidden md:inline">{share}</span>
    </>
  );
}

function partOf(count: number, whole: number): string {
  return whole === 0 ? '0' : `${(count / whole) * 100}%`;
}
