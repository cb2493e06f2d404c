import { OUR_NAMES } from '../event-name.ts';

/**
 * Meta's 17 standard events and PageView have our names; every other one is sent as a custom event.
 * https://developers.facebook.com/documentation/meta-pixel/reference
 */
export const META_EVENT_NAMES = OUR_NAMES;
