import { type EventNames, OUR_NAMES } from '../event-name.ts';

/**
 * Meta's 17 standard events and PageView have our names; every other one is sent as a custom event, but for a refund: Meta takes
 * none back, and would count it beside the purchases.
 * https://developers.facebook.com/documentation/meta-pixel/reference
 */
export const META_EVENT_NAMES: EventNames = { ...OUR_NAMES, Refund: null };
