// What a scenario is: a region, traffic, figures, and the limits that are wanted of them. A limit that is not met yet says so
// with its reason (`known`); one that says so and is met fails the run, so that the reason is taken out.
import type { Figures } from '../figures.ts';

export type Size = 'quick' | 'full';

export interface Measured extends Figures {
  /** What only this scenario measures, by name. */
  readonly own: Readonly<Record<string, number>>;
}

export interface Limit {
  /** In a sentence for the report: `p99 of 202 → delivered, ms`. */
  readonly what: string;
  readonly of: (figures: Measured) => number;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Why it is not met on this branch. */
  readonly known?: string;
  /** The size at which it can be judged at all; absent: both. */
  readonly only?: Size;
}

export interface Scenario {
  readonly name: string;
  /** What happens in it at full size. */
  readonly what: string;
  /** What this size runs, and what stands for what. */
  readonly sampled: Readonly<Record<Size, string>>;
  readonly limits: readonly Limit[];
  readonly run: (size: Size, seed: string) => Promise<Measured>;
}

/** No unit of work may take longer than this share of its timeout: the rest is for a bad day. */
const UNIT_SHARE_MAX = 1 / 3;

/** Limits of every scenario. */
export const unitShare: Limit = {
  what: 'longest unit of work, share of its timeout',
  of: ({ longest }) => longest.ms / longest.timeoutMs,
  atMost: UNIT_SHARE_MAX,
};

export const nothingMissing: Limit = {
  what: 'accepted events that a platform still lacks at the end',
  of: ({ missing }) => missing,
  atMost: 0,
};

export const noRefusal: Limit = {
  what: 'requests refused',
  of: ({ refused }) => refused,
  atMost: 0,
};

export const dollarsAtMost = (atMost: number, only?: Size): Limit => ({
  what: '$ per million events',
  of: ({ dollarsPerMillion }) => dollarsPerMillion,
  atMost,
  ...(only === undefined ? {} : { only }),
});
