// Ports for accepting events.

import type { Clock, Random } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { ApiKeyStore } from '#lib/core/tenancy/api-key-store.ts';
import type { LeasedWindow, LimitRecord } from '#lib/core/work/leased-window.ts';
import type { Suspicions } from '#lib/events/pipeline/connections/suspicions.ts';
import type { BucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import type { BatchStore } from '#lib/events/ports/batch-store.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import type { MerchantStore } from '#lib/events/ports/merchant-store.ts';
import type { RefusalStore } from '#lib/events/ports/refusal-store.ts';
import type { AcceptedMessage } from '../normalize/message.ts';
import type { ServerLimit } from './server-limit.ts';
import type { ShardPicker } from './shard-picker.ts';

export interface AcceptPorts {
  readonly events: Pick<EventStore, 'claim' | 'read' | 'archive' | 'replace'>;
  /** To read the outcomes of a row whose id is taken again; used for nothing else. */
  readonly batches: Pick<BatchStore, 'readMany'>;
  readonly slots: BucketMarker;
  readonly shards: ShardPicker;
  readonly queue: MessageSender<AcceptedMessage>;
  readonly clock: Clock;
  readonly random: Random;
  /** Counts events for operators, e.g. `pointer_send_failed`. */
  readonly count: (metric: string, value?: number) => void;
  /** Waits between the tries of one claim, in milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Exactly 30 events in any sliding minute for one caller: neither 31 nor 29. */
export interface RateLimiter {
  take(
    caller: { readonly merchantId: string; readonly clientIp: string },
    wanted: number,
    nowMs: number,
  ): Promise<RateGrant>;
}

export interface RateGrant {
  /** How many of the wanted ones are granted, 0..wanted. */
  readonly granted: number;
  readonly remaining: number;
  /** Seconds until at least one more is granted; 0 when there is one now. */
  readonly retryAfterSec: number;
}

/** The browser event limits of a merchant, and of a network: an IPv6 site, or an address at all merchants. */
export interface BrowserWindows {
  readonly merchant: LeasedWindow;
  readonly network: LeasedWindow;
  /** Of the merchant's limit. */
  readonly record: Pick<LimitRecord, 'reached'>;
  /** Absent in models, which keep no incidents. */
  readonly suspicions?: Suspicions | undefined;
  /** The operator's ceiling. */
  readonly browserEventsPerMinute: number;
}

/** What every request needs, with a credential and without one. */
export interface RequestPorts extends AcceptPorts {
  /** For refused requests too: whether the merchant exists. */
  readonly config: Pick<MerchantStore, 'merchant'>;
  readonly refusals: Pick<RefusalStore, 'add'>;
  readonly report: (problem: string, error: unknown) => void;
}

/** Of the routes with a credential. */
export interface ServerPorts extends RequestPorts {
  readonly config: Pick<ApiKeyStore, 'apiKey'> & Pick<MerchantStore, 'merchant'>;
  readonly limit: ServerLimit;
  /** Nothing leaves for a platform here: what test keys send is treated as what others send. */
  readonly isSandboxed?: boolean;
}

/** Of the routes without one, which browsers call. */
export interface BrowserPorts extends RequestPorts {
  readonly rates: RateLimiter;
  readonly windows: BrowserWindows;
  readonly isBot: (userAgent: string | undefined) => boolean;
  readonly pixel: { readonly javascript: string; readonly etag: string };
}
