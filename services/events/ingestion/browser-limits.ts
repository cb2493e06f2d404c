// How many browser events are accepted. Callers have no key, so only the client address distinguishes them. Four
// limits:
// - 30 in any sliding minute per merchant and client address: exact, one conditional write.
// - 300 in a minute per client address over all merchants, whose ids anybody can read in their pages, and 300 per merchant
//   and IPv6 /48, because one site holds 65,536 client blocks. Exceeded by at most 10 per process.
// - 1,200 in a minute per merchant, or what its profile says, and no more than the operator allows. Exceeded by at most
//   1/200 of it per process. A refusal costs no write: each limit is checked before the next one is charged.

import { addressBlock, networkBlock } from '#lib/core/work/address-block.ts';
import { createLeasedWindow, type LeaseStore, type LimitRecord } from '#lib/core/work/leased-window.ts';
import { EVENT_LIMITS } from '#lib/events/domain/event/event.ts';
import {
  BROWSER_EVENTS_PER_MINUTE_MAX,
  browserEventsPerMinuteOf,
  type Merchant,
} from '#lib/events/domain/merchant.ts';
import { type Suspicions, suspectLimit } from '#lib/events/pipeline/connections/suspicions.ts';
import type { BrowserPorts, BrowserWindows, RateGrant } from './ports.ts';

export const RATE_LIMIT = { events: 30, windowSec: 60 } as const;
export const ADDRESS_EVENTS_PER_MINUTE = 300;
export const NETWORK_EVENTS_PER_MINUTE = 300;
const WINDOW_MS = 60_000;
/** A share is worth more than one full request. */
const SHARE_MIN = EVENT_LIMITS.browserBatchEventsMax;
const NETWORK_FREE = 10;

export interface BrowserGrant extends RateGrant {
  /** Which limit refused what was not granted. */
  readonly refusedBy: 'rate_limited' | 'browser_limit_reached' | null;
}

export function createBrowserWindows(
  store: LeaseStore,
  record: Pick<LimitRecord, 'reached'>,
  browserEventsPerMinute: number = BROWSER_EVENTS_PER_MINUTE_MAX,
  suspicions?: Suspicions,
): BrowserWindows {
  const share = (limit: number): number => Math.max(SHARE_MIN, Math.ceil(limit / 100));
  return {
    record,
    suspicions,
    browserEventsPerMinute,
    merchant: createLeasedWindow(store, {
      windowMs: WINDOW_MS,
      free: (limit) => Math.ceil(limit / 200),
      share,
    }),
    network: createLeasedWindow(store, { windowMs: WINDOW_MS, free: () => NETWORK_FREE, share }),
  };
}

export async function takeAllowance(
  merchant: Merchant,
  clientIp: string,
  wanted: number,
  ports: Pick<BrowserPorts, 'rates' | 'windows' | 'count' | 'clock'>,
): Promise<BrowserGrant> {
  const { windows, clock } = ports;
  const nowMs = clock.now();
  const { merchantId } = merchant;
  const block = networkBlock(clientIp);
  const network = block === null ? null : `${merchantId}|${block}`;
  // No merchant has this id.
  const address = `|${addressBlock(clientIp)}`;
  const full = (remaining = 0): BrowserGrant => ({
    granted: 0,
    remaining,
    retryAfterSec: windows.merchant.retryAfterSec(nowMs),
    refusedBy: 'browser_limit_reached',
  });
  if (windows.merchant.isExhausted(merchantId, nowMs)) return full();
  if (network !== null && windows.network.isExhausted(network, nowMs)) return full();
  if (windows.network.isExhausted(address, nowMs)) return { ...full(), refusedBy: 'rate_limited' };
  const own = await ports.rates.take({ merchantId, clientIp }, wanted, nowMs);
  if (own.granted === 0) return { ...own, refusedBy: 'rate_limited' };
  const fromAddress = await windows.network.take(address, own.granted, ADDRESS_EVENTS_PER_MINUTE, nowMs);
  if (fromAddress === 0) return { ...full(), refusedBy: 'rate_limited' };
  const fromNetwork =
    network === null
      ? fromAddress
      : await windows.network.take(network, fromAddress, NETWORK_EVENTS_PER_MINUTE, nowMs);
  const limit = browserEventsPerMinuteOf(merchant, windows);
  const granted = await windows.merchant.take(merchantId, fromNetwork, limit, nowMs);
  const use = { used: windows.merchant.used(merchantId, limit, nowMs), limit };
  if (windows.suspicions !== undefined)
    await suspectLimit(windows.suspicions, merchantId, 'browser_events', use);
  // Once per process and minute: later requests were refused above.
  if (windows.merchant.isExhausted(merchantId, nowMs)) {
    ports.count('browser_limit_reached');
    await windows.record.reached(merchantId, nowMs).catch(() => ports.count('browser_limit_not_recorded'));
  }
  if (granted === own.granted) return { ...own, refusedBy: granted < wanted ? 'rate_limited' : null };
  if (granted === 0) return full(own.remaining);
  return { ...own, granted, retryAfterSec: full().retryAfterSec, refusedBy: 'browser_limit_reached' };
}
