// The verb that reads the touches of a person, and credits its conversions to them. platform-5.2, platform-5.3.
import { minorDigitsOf } from '../../../lib/money/currency.ts';
import { allocate } from '../../attribution/allocate.ts';
import { creditShares, type AttributionModel, type Touch } from '../../attribution/credit-shares.ts';
import { directChannel, type PersonConversion, type PersonTouch } from '../../model/analytics/touch.ts';
import type { Caller } from '../../model/access/caller.ts';
import { notFound } from '../../model/errors.ts';
import { dayMs, type AnalyticsDeps } from '../analytics-deps.ts';
import { toUnits } from './decimal-units.ts';

/** Touches of one person that are read, and that one conversion may be credited to: the newest. Only programs have more. */
const maxTouches = 2_000;
const maxCredited = 200;
const maxVisitors = 200;
/** Decimal places of a value without a currency, as it is stored. */
const plainDigits = 4;
/** Credits are rounded to millionths, so that they sum to exactly 1. */
const creditUnits = 1_000_000;

export interface Credit {
  readonly touch: PersonTouch;
  readonly credit: number;
  /** In the major unit of the currency; null: the conversion has no value. */
  readonly value: number | null;
}

export const creditModels = ['linear', 'position', 'time_decay'] as const satisfies AttributionModel[];
type CreditModel = (typeof creditModels)[number];

export interface CreditedConversion {
  readonly conversion: PersonConversion;
  /** Null without a touch, as the other two. */
  readonly firstTouch: PersonTouch | null;
  readonly lastTouch: PersonTouch | null;
  readonly lastNonDirect: PersonTouch | null;
  readonly credits: Readonly<Record<CreditModel, readonly Credit[]>>;
}

export interface Attribution {
  readonly userId: string;
  readonly visitors: readonly string[];
  /** In time order, the newest of them. */
  readonly touches: readonly PersonTouch[];
  readonly firstTouch: PersonTouch | null;
  readonly lastTouch: PersonTouch | null;
  readonly conversions: readonly CreditedConversion[];
  /** True: some of the person's touches or conversions are not listed or not credited. */
  readonly isPartial: boolean;
}

/** @param limit most touches and conversions that are listed. @throws DomainError not_found for an unknown user */
export function readAttribution(
  { store, now, retentionDays }: Pick<AnalyticsDeps, 'store' | 'now' | 'retentionDays'>,
  caller: Caller,
  { userId, lookbackDays, limit }: { readonly userId: string; readonly lookbackDays: number; readonly limit: number },
): Promise<Attribution> {
  return store.within(caller, async (rows) => {
    if (!(await rows.people.exists(userId))) throw notFound('person');
    const since = new Date(now() - retentionDays * dayMs).toISOString();
    const bounds = { touches: maxTouches + 1, conversions: limit + 1 };
    const found = await rows.people.journey({ userId, since, ...bounds });
    const touches = found.touches.slice(-maxTouches);
    const conversions = found.conversions
      .slice(-limit)
      .map((conversion) => creditTouches(conversion, touches, lookbackDays));
    return {
      userId,
      visitors: await rows.people.visitorsOf(userId, maxVisitors),
      touches: touches.slice(-limit),
      firstTouch: touches[0] ?? null,
      lastTouch: touches.at(-1) ?? null,
      conversions: conversions.map(({ credited }) => credited),
      isPartial:
        found.touches.length > limit ||
        found.conversions.length > limit ||
        conversions.some(({ isPartial }) => isPartial),
    };
  });
}

/** Credits a conversion to the touches of its lookback, both ends of which count. */
export function creditTouches(
  conversion: PersonConversion,
  touches: readonly PersonTouch[],
  lookbackDays: number,
): { credited: CreditedConversion; isPartial: boolean } {
  const convertedAt = Date.parse(conversion.at);
  const all = touches.filter(({ at }) => {
    const age = convertedAt - Date.parse(at);
    return age >= 0 && age <= lookbackDays * dayMs;
  });
  const within = all.slice(-maxCredited);
  const shared = within.map(({ at, channel }) => ({ at: Date.parse(at), isDirect: channel === directChannel }));
  const pick = (model: AttributionModel): PersonTouch | null =>
    within[creditShares(model, shared, convertedAt).indexOf(1)] ?? null;
  const creditsBy = (model: CreditModel): Credit[] => credits(model, conversion, within, shared);
  const credited = {
    conversion,
    firstTouch: pick('first'),
    lastTouch: pick('last'),
    lastNonDirect: pick('last_non_direct'),
    credits: {
      linear: creditsBy('linear'),
      position: creditsBy('position'),
      time_decay: creditsBy('time_decay'),
    },
  };
  return { credited, isPartial: all.length > within.length };
}

function credits(
  model: CreditModel,
  { at, value, currency }: PersonConversion,
  touches: readonly PersonTouch[],
  shared: readonly Touch[],
): Credit[] {
  const shares = creditShares(model, shared, Date.parse(at));
  const parts = allocate(creditUnits, shares);
  const digits = currency === null ? plainDigits : (minorDigitsOf(currency) ?? plainDigits);
  const values = value === null ? undefined : allocate(toUnits(value, digits), shares);
  return touches.map((touch, i) => ({
    touch,
    credit: (parts[i] ?? 0) / creditUnits,
    value: values === undefined ? null : (values[i] ?? 0) / 10 ** digits,
  }));
}
