// The noun funnel: steps that people are hoped to take one after the other, and how many do. platform-5.2.

export type StepScalar = string | number | boolean | null;

export interface FunnelStep {
  /** Null: the name of the event. */
  readonly name: string | null;
  readonly event: string;
  /** Properties that the event must have, each equal. */
  readonly where: Readonly<Record<string, StepScalar>>;
}

/** The part of a funnel that its caller decides. */
export interface FunnelSettings {
  readonly name: string;
  readonly steps: readonly FunnelStep[];
  /** How long after the first step the last one may be. */
  readonly windowHours: number;
}

export interface Funnel extends FunnelSettings {
  readonly funnelId: string;
  /** Null: the built-in funnel, which nobody has replaced. */
  readonly written: { readonly by: string; readonly createdAt: string; readonly updatedAt: string } | null;
}

/** How far the people came who began a funnel. */
export interface FunnelCounts {
  /** People who reached each step, in its order. */
  readonly reached: readonly number[];
  /** Times from the first step to the last, of people who reached it; null without any. */
  readonly medianSeconds: number | null;
}

export const defaultFunnelId = 'default';

/** There is one funnel from the start. */
export const defaultFunnel: Funnel = {
  funnelId: defaultFunnelId,
  name: 'From visit to payment',
  steps: [
    'page_view',
    'signup_started',
    'signup_completed',
    'workspace_created',
    'trial_started',
    'first_success',
    'paid',
  ].map((event) => ({ name: null, event, where: {} })),
  windowHours: 168,
  written: null,
};
