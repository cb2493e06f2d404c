// One event as the ingestion takes it (`eventSchema`, lib/domain/event.ts).
import type { Consent } from '../../../lib/domain/consent.ts';
import type { BrowserIds } from '../../../lib/domain/identity.ts';
import { now } from './page.ts';

export interface PixelEvent {
  event_id: string;
  event_name: string;
  event_time: number;
  event_source_url: string;
  referrer_url: string;
  action_source: 'website';
  user_data: Record<string, unknown> & { browser_ids?: BrowserIds | undefined };
  value?: unknown;
  currency?: unknown;
  order_id?: unknown;
  items?: unknown;
  consent?: Consent;
  custom_data: Record<string, unknown>;
}

export interface TrackOptions {
  /** The id under which the server reports the same event. */
  event_id?: string;
}

const userData: Record<string, unknown> = {};

/** Kept in memory only: nobody's e-mail address stays behind in the browser but inside unsent events. */
export function identify(data: Record<string, unknown>): void {
  Object.assign(userData, data);
}

export function makeEvent(name: string, props?: Record<string, unknown>, options?: TrackOptions): PixelEvent {
  const { value, currency, order_id, items, ...custom } = props || {};
  return {
    event_id: options?.event_id || crypto.randomUUID?.() || `${now()}-${Math.random()}`,
    event_name: name,
    event_time: (now() / 1e3) | 0,
    event_source_url: location.href.slice(0, 2048),
    referrer_url: document.referrer.slice(0, 2048),
    action_source: 'website',
    user_data: { ...userData },
    value,
    currency,
    order_id: order_id && order_id + '',
    items,
    custom_data: custom,
  };
}
