// The event as platforms see it: canonical name, exact money, identity as variants. Its personal data is one part,
// stored encrypted; the other part is stored in the clear and has nothing about a person.

import type { OrderCredit } from '../analytics/attribution.ts';
import type { HashedIdentity, IdentityIssue, PlaintextIdentity, RawIdentity } from '../identity/identity.ts';
import type { Rewrite } from '../rules/rule.ts';
import type { AppPart } from './app.ts';
import type { Consent } from './consent.ts';
import type { ACTION_SOURCES } from './event.ts';
import type { EventName } from './names.ts';

/** A non-negative decimal in plain notation: `29.99`, `0.1`, `1200`. Rounding is in decimal.ts. */
export type Decimal = string;

export interface Item {
  readonly id: string;
  readonly quantity: Decimal;
  /** Unit price in the event's currency. */
  readonly price?: Decimal;
  /** The shop's name of it: trimmed, never empty. */
  readonly name?: string;
  readonly brand?: string;
  readonly category?: string;
  readonly variant?: string;
}

export type ActionSource = (typeof ACTION_SOURCES)[number];

export type Channel = 'server' | 'browser';

/** What a refund takes back, in minor units, and what its order is credited to. */
export interface TakenBack {
  readonly touch: string;
  /** Platform of the last click before the order; absent: the same. */
  readonly last?: string;
  readonly currency: string;
  readonly minor: string;
  /** Absent where no purchase of the order is known to have gone out, or to be on its way. */
  readonly purchase?: RefundedPurchase;
}

/** A purchase as platforms know it, but for `value`: that is what is left of its order, after all refunds. */
export interface RefundedPurchase
  extends Pick<ClearPart, 'dedupId' | 'noOrderDedup' | 'eventTimeSec' | 'actionSource'> {
  readonly value: Decimal;
}

/** Data that is personal, or may be: a merchant may put anything in a URL or in custom data. */
export interface PersonalPart {
  readonly eventSourceUrl?: string;
  readonly referrerUrl?: string;
  readonly customData?: Readonly<Record<string, unknown>>;
  readonly app?: AppPart;
  readonly hashed: HashedIdentity;
  readonly raw: RawIdentity;
  /** Values some platform takes unhashed. */
  readonly plaintext: PlaintextIdentity;
}

/** The merchant's identifiers and money, and the issues that normalization noticed. */
export interface ClearPart {
  readonly merchantId: string;
  readonly channel: Channel;
  /** The merchant's id of this event, unique per channel for 24 hours. */
  readonly eventId: string;
  /** What platforms deduplicate on: the event id, or for a replay the id of the original. */
  readonly dedupId: string;
  readonly name: EventName;
  /** The name as sent, if it is not a canonical one (`name` is then `Custom`). */
  readonly customName?: string;
  /** The name as sent, if it is a platform's alias of `name`: that platform gets it unchanged. */
  readonly sentName?: string;
  readonly eventTimeSec: number;
  readonly receivedAtMs: number;
  readonly source: string;
  readonly actionSource: ActionSource;
  /** With at most the digits of its currency. */
  readonly value?: Decimal;
  /** ISO 4217, uppercase. Present whenever `value` is. */
  readonly currency?: string;
  readonly orderId?: string;
  readonly items: readonly Item[];
  readonly consent: Consent;
  readonly issues: readonly IdentityIssue[];
  /** Set for traffic of crawlers and headless browsers: kept and counted, never delivered. */
  readonly bot?: true;
  /** Replay, forward and retry narrow the fan-out to these platform slugs. */
  readonly onlyPlatforms?: readonly string[];
  /**
   * Platforms must not deduplicate on the order id. Either the event is a browser's, of a name the merchant also sends
   * from servers, and a stranger may have guessed the order id; or such an event may have been sent under this order id
   * before.
   */
  readonly noOrderDedup?: true;
  /** The changes that rules make to it, per platform. All other fields are as they came. */
  readonly rewrites?: readonly Rewrite[];
  /** Of a replay: when its original was received. Its personal data is kept no longer than the original's. */
  readonly originalReceivedAtMs?: number;
  /** True for replays: platforms that would act twice on a person (e-mail flows) must not. */
  readonly replay?: true;
  /** It came with a test key: only what keeps tests apart gets it. It is a replay as well, which keeps it out of orders, credit and figures. */
  readonly test?: true;
  /** The credit of a purchase that is counted as an order. */
  readonly credit?: OrderCredit;
  readonly refund?: TakenBack;
  /** Fields that the page's event of the same id completed, by their names on the wire; absent: none. */
  readonly fromPage?: readonly string[];
  /** Of a server's order that waited for its page; absent: it did not. */
  readonly pageWait?: PageWait;
  /** Click ids that were seen with the same person before; absent: none. */
  readonly fromEarlier?: readonly string[];
}

/** In milliseconds since the order was received. */
export interface PageWait {
  /** When it was normalized. */
  readonly endMs: number;
  /** When the page's event came that completed it; absent where none did, or it was there before. */
  readonly pageMs?: number;
}

export type NormalizedEvent = ClearPart & PersonalPart;

/** A normalized event without its plain values: verdicts are decided from it. */
export type UnopenedEvent = Omit<NormalizedEvent, 'plaintext'>;
