// In which parameter of an address each click id arrives, and whether an event has one. Of its own, because ingestion asks
// that and starts with few bytes.
import type { EventBody } from '../event/event.ts';
import { CLICK_PARAMETERS } from './click-parameters.ts';
import type { BrowserIdKey, BrowserIds } from './identity.ts';

/** Meta's click id; see https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/fbp-and-fbc. */
export const FBCLID = 'fbclid';
/** By key, as in an address. */
export const PARAMETERS: ReadonlyMap<BrowserIdKey, string> = new Map([
  ['fbc', FBCLID],
  ...CLICK_PARAMETERS.split(',').map((entry): [BrowserIdKey, string] => {
    const [parameter = '', key = parameter] = entry.split(':');
    return [key as BrowserIdKey, parameter];
  }),
]);
const CLICK_IDS = [...PARAMETERS.keys()];

/** One of them; undefined if there is none. */
export const clickIdOf = (ids: BrowserIds | undefined): string | undefined =>
  ids === undefined ? undefined : CLICK_IDS.map((key) => ids[key]).find((id) => id !== undefined);

export const isClickId = (field: string): boolean => PARAMETERS.has(field as BrowserIdKey);

/** True if the event has a click id, or seems to: whether it is one is decided when the event is normalized. */
export function carriesClick({
  user_data: { browser_ids = {} },
  event_source_url = '',
  referrer_url = '',
}: Pick<EventBody, 'user_data' | 'event_source_url' | 'referrer_url'>): boolean {
  const queries = [event_source_url, referrer_url].flatMap(queryOf);
  return [...PARAMETERS].some(
    ([key, parameter]) => Boolean(browser_ids[key]) || queries.some((query) => Boolean(query.get(parameter))),
  );
}

/** Read as the pixel reads `location.search`: not what follows a `#`. */
export function queryOf(address: string): readonly URLSearchParams[] {
  const [beforeHash = ''] = address.split('#', 1);
  const at = beforeHash.indexOf('?');
  return at < 0 ? [] : [new URLSearchParams(beforeHash.slice(at))];
}
