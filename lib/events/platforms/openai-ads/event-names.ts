import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { type EventNames, nameAt, ownNames, SNAKE_CASE_NAMES } from '../event-name.ts';

/** What an event may say, by its type: https://developers.openai.com/ads/supported-events */
export type DataType = 'contents' | 'customer_action' | 'plan_enrollment' | 'custom';

const TYPES = {
  app_installed: 'customer_action',
  app_opened: 'customer_action',
  appointment_scheduled: 'customer_action',
  checkout_started: 'contents',
  contents_viewed: 'contents',
  items_added: 'contents',
  lead_created: 'customer_action',
  order_created: 'contents',
  page_viewed: 'contents',
  registration_completed: 'customer_action',
  subscription_created: 'plan_enrollment',
  trial_started: 'plan_enrollment',
} as const satisfies Record<string, DataType>;

/** Only of apps. */
export const APP_EVENTS: readonly string[] = ['app_installed', 'app_opened'];

/** What is no type of theirs goes as `custom` under this name. */
export const OPENAI_ADS_EVENT_NAMES: EventNames = {
  ...SNAKE_CASE_NAMES,
  PageView: 'page_viewed',
  ViewContent: 'contents_viewed',
  AddToCart: 'items_added',
  InitiateCheckout: 'checkout_started',
  Purchase: 'order_created',
  Refund: null,
  Subscribe: 'subscription_created',
  StartTrial: 'trial_started',
  CompleteRegistration: 'registration_completed',
  Lead: 'lead_created',
  Schedule: 'appointment_scheduled',
  AppInstall: 'app_installed',
};

const OWN = ownNames(Object.keys(TYPES));
const NAME_MAX_CHARS = 64;

export interface OpenaiAdsName {
  readonly type: string;
  readonly custom_event_name?: string;
  readonly dataType: DataType;
}

/** Null where there is none; of a name of one's own what they take: lowercase letters, digits, `_` and `-`. */
export function openaiAdsName(event: NormalizedEvent): OpenaiAdsName | null {
  const name = nameAt(OPENAI_ADS_EVENT_NAMES, event, OWN);
  if (name === null) return null;
  if (Object.hasOwn(TYPES, name)) return { type: name, dataType: TYPES[name as keyof typeof TYPES] };
  const folded = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '_')
    .slice(0, NAME_MAX_CHARS)
    .replaceAll(/^[_-]+|[_-]+$/g, '');
  // `custom` itself is a name of theirs.
  const isOurs = folded === 'custom' || Object.hasOwn(TYPES, folded);
  return {
    type: 'custom',
    custom_event_name: isOurs ? `${folded}_event` : folded,
    dataType: 'custom',
  };
}
