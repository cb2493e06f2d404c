// What Snap takes about the event itself. Only the properties Snap documents, and only in the type it documents:
// anything else of the merchant's own stays here.

import type { Item, NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { itemCount } from '../item-count.ts';
import { jsonNumber } from '../json-body.ts';

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === 'string';
const whole: Check = (value) => Number.isSafeInteger(value);
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const textOrTexts: Check = (value) => text(value) || texts(value);
/** Text in Snap's SDK, so that a list of them goes as one. */
const JOINED: ReadonlySet<string> = new Set(['brands', 'content_category']);
const asText = (key: string, value: unknown): unknown =>
  JOINED.has(key) && Array.isArray(value) ? value.join(',') : value;

/** https://github.com/Snapchat/business-sdk-v3-java (api/openapi.yaml, CustomData); content_name and predicted_ltv: Parameters page. */
const OWN_PROPERTIES: Readonly<Record<string, Check>> = {
  brands: textOrTexts,
  content_category: textOrTexts,
  content_name: text,
  content_type: text,
  delivery_category: text,
  predicted_ltv: (value) => typeof value === 'number' && value >= 0,
  search_string: text,
  sign_up_method: text,
  status: text,
  checkin_date: text,
  city: text,
  country: text,
  departing_arrival_date: text,
  departing_departure_date: text,
  destination_airport: text,
  hotel_score: text,
  neighborhood: text,
  num_adults: whole,
  num_children: whole,
  num_infants: whole,
  origin_airport: text,
  postal_code: text,
  preferred_neighborhoods: texts,
  preferred_star_ratings: texts,
  region: text,
  returning_arrival_date: text,
  returning_departure_date: text,
  suggested_destinations: texts,
  suggested_hotels: texts,
  travel_end: text,
  travel_start: text,
};

/** `value` is a number, quantity and price of an item are text: so does Snap's own SDK. */
export function snapchatCustomData(event: NormalizedEvent): Fields {
  const given = Object.entries(event.customData ?? {});
  const { items } = event;
  return {
    // Of the items' own, unless the merchant says it of the whole event.
    brands: everyOf(items, 'brand'),
    content_category: everyOf(items, 'category'),
    ...Object.fromEntries(
      given
        .filter(([key, value]) => isOwn(key) && OWN_PROPERTIES[key]?.(value))
        .map(([key, value]) => [key, asText(key, value)]),
    ),
    value: jsonNumber(event.value),
    currency: event.currency,
    order_id: event.orderId,
    num_items: itemCount(items),
    content_ids: items.map(({ id }) => id),
    contents: items.map(({ id, quantity, price, brand }) => ({ id, quantity, item_price: price, brand })),
  };
}

/** Each once, in the order of the items. */
function everyOf(items: readonly Item[], word: 'brand' | 'category'): string | undefined {
  const words = new Set(items.map((item) => item[word]).filter((text) => text !== undefined));
  return words.size === 0 ? undefined : [...words].join(',');
}

const isOwn = (key: string): boolean => Object.hasOwn(OWN_PROPERTIES, key);
