// A merchant with its settings of events. Refuses: a retention that would erase at once, or never.
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';
import { STORED_PROFILE } from '#lib/core/tenancy/profile.ts';
import type { Suspension } from '#lib/core/tenancy/suspension.ts';
import { SUPPRESSIONS, type Suppression } from './people/suppression.ts';

/** Browser events of one merchant taken in a minute, unless its profile says otherwise. */
export const BROWSER_EVENTS_PER_MINUTE = 1_200;
/** The most that any deployment allows. */
export const BROWSER_EVENTS_PER_MINUTE_MAX = 600_000;

/** Pages report an order within seconds or never; each order that waits is late by this. */
export const PAGE_COPY_WAIT_MAX_SEC = 30;

/** What is learned beside the profile lies in attributes of its own. */
export const STORED_MERCHANT = STORED_PROFILE.extend({
  storePlatform: z.string().exactOptional(),
  storeUrl: z.string().exactOptional(),
  onboardingStep: z.string(),
  onboardingCompleted: z.boolean(),
  browserIngestion: z.looseObject({
    enabled: z.boolean(),
    /** Origins allowed to send browser events; empty = any. */
    origins: z.array(z.string()),
    /** Seconds a browser event waits for its server copy, where the merchant sends its name from servers too; 0 = not at all. */
    serverCopyWaitSec: z.number().exactOptional(),
    /** Seconds an order of its servers waits for what its pages know of it, 0..PAGE_COPY_WAIT_MAX_SEC; absent or 0 = not at all. */
    pageCopyWaitSec: z.number().exactOptional(),
    /** Browser events taken in a minute, whoever sends them. */
    eventsPerMinuteMax: z.number().exactOptional(),
  }),
  /** Names of parameters, in lowercase, under which e-mail, phone and names of people may go to platforms. */
  allowedParameters: z.array(z.string()).exactOptional(),
  /** Slugs of platforms that get no event in which something personal was found beside declared identity. */
  withholdPersonalFrom: z.array(z.string()).exactOptional(),
  /** Name of the IANA zone whose days are this merchant's. Absent: UTC. */
  timeZone: z.string().exactOptional(),
  /** Code of the currency in which sums of money are shown together. Absent: by currency alone. */
  reportingCurrency: z.string().exactOptional(),
  /** Whole days, 1..RETENTION_DAYS_MAX, for which personal data is kept sealed after its day of receipt. Absent: the default. */
  retentionDays: z.number().exactOptional(),
  /** What becomes of later events of people on its list. Absent: they are like any other. */
  suppression: z.enum(SUPPRESSIONS).exactOptional(),
  /** Digest of the request by which its first owner made it. Absent: an operator did. */
  signUp: z.string().exactOptional(),
});
export type StoredMerchant = StoredAs<typeof STORED_MERCHANT>;

export interface Merchant extends StoredMerchant {
  /** Canonical name of an event this merchant sends from servers → since when, ms. Only ever grows, to 32 entries at most. */
  readonly serverEventNames?: Readonly<Record<string, number>>;
  /** How many shards its rows are to be spread over: grows and shrinks by itself. Absent: one. */
  readonly shards?: number;
  /** Keys the digests of its list of suppressed people. Absent: it has been empty from the beginning. */
  readonly suppressionKey?: string;
  /** What the operator lets it have instead of what holds for all. Absent: nothing. */
  readonly limits?: MerchantLimits;
  /** Absent: it is not suspended. */
  readonly suspension?: Suspension;
  /** Counts the changes of the profile; what is learned beside it moves nothing. Absent: none yet. */
  readonly version?: number;
}

/** What a merchant may change of its profile. Only what is named is written; null takes a value away, back to its default. */
export interface ProfileChange {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly storePlatform?: string | null | undefined;
  readonly storeUrl?: string | null | undefined;
  readonly onboardingStep?: string | undefined;
  readonly onboardingCompleted?: boolean | undefined;
  readonly reportingCurrency?: string | null | undefined;
  readonly timeZone?: string | null | undefined;
  readonly retentionDays?: number | null | undefined;
  readonly allowedParameters?: readonly string[] | null | undefined;
  readonly withholdPersonalFrom?: readonly string[] | null | undefined;
  readonly suppression?: Suppression | null | undefined;
  readonly browserIngestion?:
    | {
        readonly enabled?: boolean | undefined;
        readonly origins?: readonly string[] | undefined;
        readonly serverCopyWaitSec?: number | null | undefined;
        readonly pageCopyWaitSec?: number | null | undefined;
        readonly eventsPerMinuteMax?: number | null | undefined;
      }
    | undefined;
}

export const profileVersionOf = ({ version = 0 }: Pick<Merchant, 'version'>): number => version;

/** What the operator of a deployment lets no merchant exceed. */
export interface MerchantCeilings {
  readonly retentionDays: number;
  readonly browserEventsPerMinute: number;
}

/** What the operator may say of one merchant, with the most that any deployment allows. */
export const MERCHANT_LIMITS = {
  /** Events of its servers; its keys carry these. */
  serverEventsPerMinute: { max: 60_000_000 },
  serverEventsPerDay: { max: 10_000_000_000 },
  /** As a ceiling of what it allows its pages itself. */
  browserEventsPerMinute: { max: BROWSER_EVENTS_PER_MINUTE_MAX },
  /** Of its plans, in a UTC day. */
  replaysPerDay: { max: 1_000_000_000 },
} as const;
export type MerchantLimit = keyof typeof MERCHANT_LIMITS;
export type MerchantLimits = Readonly<Partial<Record<MerchantLimit, number>>>;

/** The most that it may say. */
export const browserCeilingOf = (
  { limits }: Pick<Merchant, 'limits'>,
  { browserEventsPerMinute }: Pick<MerchantCeilings, 'browserEventsPerMinute'>,
): number => limits?.browserEventsPerMinute ?? browserEventsPerMinute;

/** Browser events that a merchant takes in a minute: what it says, and no more than the operator does. */
export const browserEventsPerMinuteOf = (
  merchant: Pick<Merchant, 'browserIngestion' | 'limits'>,
  ceilings: Pick<MerchantCeilings, 'browserEventsPerMinute'>,
): number => {
  const { eventsPerMinuteMax = BROWSER_EVENTS_PER_MINUTE } = merchant.browserIngestion;
  return Math.min(eventsPerMinuteMax, browserCeilingOf(merchant, ceilings));
};

export const RETENTION_DAYS_DEFAULT = 90;
export const RETENTION_DAYS_MAX = 400;

/**
 * At most what the operator allows, whatever was stored before. Throws a RangeError rather than erasing too early for a value
 * that is none.
 */
export function retentionDaysOf(
  { retentionDays = RETENTION_DAYS_DEFAULT }: Pick<Merchant, 'retentionDays'>,
  allowed: number = RETENTION_DAYS_MAX,
): number {
  if (Number.isInteger(retentionDays) && retentionDays >= 1 && retentionDays <= RETENTION_DAYS_MAX)
    return Math.min(retentionDays, allowed);
  throw new RangeError(
    `personal data is kept for 1 to ${RETENTION_DAYS_MAX} whole days, not ${retentionDays}`,
  );
}
