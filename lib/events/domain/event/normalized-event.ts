// The event as platforms see it: canonical name, exact money, identity as variants. What is personal about it is one part,
// which rests sealed; the other part lies in the clear and says nothing about a person.

import type { OrderCredit } from '../analytics/attribution.ts';
import type { HashedIdentity, IdentityIssue, PlaintextIdentity, RawIdentity } from '../identity/identity.ts';
import type { Rewrite } from '../rules/rule.ts';
import type { Consent } from './consent.ts';
import type { ACTION_SOURCES } from './event.ts';
import type { EventName } from './names.ts';

/** A non-negative decimal in plain notation: `29.99`, `0.1`, `1200`. What is rounded, and how, is in decimal.ts. */
export type Decimal = string;

export interface Item {
  readonly id: string;
  readonly quantity: Decimal;
  /** Unit price in the event's currency. */
  readonly price?: Decimal;
  /** What the shop calls it: trimmed, never empty. */
  readonly name?: string;
  readonly brand?: string;
  readonly category?: string;
  readonly variant?: string;
}

export type ActionSource = (typeof ACTION_SOURCES)[number];

export type Channel = 'server' | 'browser';

/** What is personal, or may be: the merchant decides what stands in a URL or in custom data. */
export interface PersonalPart {
  readonly eventSourceUrl?: string;
  readonly referrerUrl?: string;
  readonly customData?: Readonly<Record<string, unknown>>;
  readonly hashed: HashedIdentity;
  readonly raw: RawIdentity;
  /** Values some platform takes unhashed. */
  readonly plaintext: PlaintextIdentity;
}

/** Identifiers and money of the merchant's, and what normalization noticed. */
export interface ClearPart {
  readonly merchantId: string;
  readonly channel: Channel;
  /** The merchant's id of this event, unique per channel for 24 hours. */
  readonly eventId: string;
  /** What platforms deduplicate on: the event id, or for a replay the id of the original. */
  readonly dedupId: string;
  readonly name: EventName;
  /** The name as sent, where it is not one of the canonical ones (`name` is then `Custom`). */
  readonly customName?: string;
  /** The name as sent, where it is another word for `name`: the platform whose word it is gets it unchanged. */
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
   * Platforms must not deduplicate on the order id: the event is a browser's, of a name the merchant also sends from servers,
   * and the order id anybody's guess; or such an event may have gone out under this order id before.
   */
  readonly noOrderDedup?: true;
  /** What rules change of it for whom. Everything else here is as it came. */
  readonly rewrites?: readonly Rewrite[];
  /** Of a replay: when its original was received. What is personal about it ends when that of the original does. */
  readonly originalReceivedAtMs?: number;
  /** True for replays: platforms that would act twice on a person (e-mail flows) must not. */
  readonly replay?: true;
  /** Who brought it, of a purchase that is counted as an order. */
  readonly credit?: OrderCredit;
}

export type NormalizedEvent = ClearPart & PersonalPart;

/** A normalized event whose plain values are not there: what verdicts are decided from. */
export type UnopenedEvent = Omit<NormalizedEvent, 'plaintext'>;
