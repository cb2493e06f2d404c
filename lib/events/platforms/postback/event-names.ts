import { type EventNames, everyName } from '../event-name.ts';

/** Networks know conversions by names that each account makes, which the connection carries. */
export const POSTBACK_EVENT_NAMES: EventNames = { ...everyName(() => 'conversion'), Refund: null };
