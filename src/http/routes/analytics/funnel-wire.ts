// Funnels between their wire shapes and the domain's.
import type { z } from 'zod';
import type { FunnelReportWire, FunnelWire, funnelSettings } from '../../../contracts/analytics/funnel.ts';
import type { FunnelReport } from '../../../domain/analytics/funnels/read-funnels.ts';
import type { Funnel, FunnelSettings } from '../../../domain/model/analytics/funnel.ts';

export function funnelFromWire({ name, steps, window_hours }: z.output<typeof funnelSettings>): FunnelSettings {
  return {
    name,
    steps: steps.map((step) => ({ name: step.name ?? null, event: step.event, where: step.where ?? {} })),
    windowHours: window_hours,
  };
}

export function funnelToWire({ funnelId, name, steps, windowHours, written }: Funnel): FunnelWire {
  return {
    funnel_id: funnelId,
    name,
    steps: steps.map((step) => ({
      ...(step.name === null ? {} : { name: step.name }),
      event: step.event,
      ...(Object.keys(step.where).length === 0 ? {} : { where: { ...step.where } }),
    })),
    window_hours: windowHours,
    built_in: written === null,
    created_by: written?.by ?? null,
    created_at: written?.createdAt ?? null,
    updated_at: written?.updatedAt ?? null,
  };
}

export function reportToWire({ funnel, from, to, reached, medianSeconds }: FunnelReport): FunnelReportWire {
  const entered = reached[0] ?? 0;
  const converted = reached.at(-1) ?? 0;
  return {
    funnel_id: funnel.funnelId,
    funnel_name: funnel.name,
    date_range_start: from,
    date_range_end: to,
    window_hours: funnel.windowHours,
    total_entered: entered,
    total_converted: converted,
    overall_conversion_rate: rateOf(converted, entered),
    median_seconds_to_convert: medianSeconds,
    steps: funnel.steps.map(({ name, event }, i) => {
      const count = reached[i] ?? 0;
      const before = i === 0 ? count : (reached[i - 1] ?? 0);
      return {
        step_name: name ?? event,
        event_type: event,
        count,
        conversion_rate: rateOf(count, before),
        overall_rate: rateOf(count, entered),
        dropped: before - count,
      };
    }),
  };
}

/** A fraction with four decimals. */
function rateOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}
