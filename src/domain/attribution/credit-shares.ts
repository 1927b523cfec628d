// The attribution models: how the touches before a conversion share it. Pure, and exact: callers round by `allocate`.
// platform-5.3.

/** One contact of a person before a conversion. */
export interface Touch {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The person came without a touch of any channel. */
  readonly isDirect: boolean;
}

/** `last_non_direct` is the last touch that is not direct, else the last. */
export const attributionModels = ['first', 'last', 'last_non_direct', 'linear', 'position', 'time_decay'] as const;
export type AttributionModel = (typeof attributionModels)[number];

const halfLifeMs = 7 * 86_400_000;
/** The share of the first and of the last touch by position; those between share the rest. */
const endShare = 0.4;

/**
 * The share of each touch in a conversion; they sum to 1. Without a touch there is no share.
 * @param touches in time order, none after the conversion
 * @param convertedAt milliseconds since 1970
 */
export function creditShares(model: AttributionModel, touches: readonly Touch[], convertedAt: number): number[] {
  return touches.length === 0 ? [] : rules[model](touches, convertedAt);
}

/** The rule of each model, for at least one touch. */
const rules: Readonly<Record<AttributionModel, (touches: readonly Touch[], convertedAt: number) => number[]>> = {
  first: ({ length }) => allTo(0, length),
  last: ({ length }) => allTo(length - 1, length),
  last_non_direct: (touches) => {
    const found = touches.findLastIndex(({ isDirect }) => !isDirect);
    return allTo(found < 0 ? touches.length - 1 : found, touches.length);
  },
  linear: (touches) => touches.map(() => 1 / touches.length),
  position: (touches) => touches.map((_, i) => positionShare(i, touches.length)),
  time_decay: decayShares,
};

function allTo(index: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => (i === index ? 1 : 0));
}

function positionShare(index: number, count: number): number {
  if (count <= 2) return 1 / count;
  return index === 0 || index === count - 1 ? endShare : (1 - 2 * endShare) / (count - 2);
}

/** Each half-life halves a share. Ages count from the newest touch, so that old ones do not all vanish to zero. */
function decayShares(touches: readonly Touch[], convertedAt: number): number[] {
  const ages = touches.map(({ at }) => convertedAt - at);
  const youngest = Math.min(...ages);
  const weights = ages.map((age) => 2 ** (-(age - youngest) / halfLifeMs));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
