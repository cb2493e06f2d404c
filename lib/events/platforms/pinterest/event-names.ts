import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { type EventNames, nameAt, SNAKE_CASE_NAMES } from '../event-name.ts';

/**
 * Pinterest's standard events by their names in its guide (its API description lists some of them and takes any text).
 * Events of one's own go under the name as sent: the advertiser maps it to a standard event at Pinterest.
 * https://developers.pinterest.com/docs/conversions/event/,
 * https://developers.pinterest.com/docs/track-conversions/define-your-own-event-types/
 */
export const PINTEREST_EVENT_NAMES: EventNames = {
  ...SNAKE_CASE_NAMES,
  PageView: 'page_visit',
  RemoveFromCart: 'custom',
  ViewCart: 'custom',
  AddShippingInfo: 'custom',
  Purchase: 'checkout',
  Refund: null,
  Donate: 'custom',
  CompleteRegistration: 'signup',
  Login: 'custom',
  QualifiedLead: 'custom',
  Download: 'custom',
  Share: 'custom',
  Rate: 'custom',
  ClickButton: 'custom',
};

const NAME_MAX_CHARS = 100;
/** What a name of one's own may be made of: letters, digits, underscores and hyphens. */
export const PINTEREST_NAME = /^[A-Za-z0-9_-]{1,100}$/;

/** A name of one's own with other signs gets `_` in their place; `custom` where no sign of it is left. */
export function pinterestName(event: NormalizedEvent): string | null {
  const name = nameAt(PINTEREST_EVENT_NAMES, event);
  if (name === null || PINTEREST_NAME.test(name)) return name;
  const adapted = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, NAME_MAX_CHARS)
    .replace(/_+$/, '');
  return adapted === '' ? 'custom' : adapted;
}
