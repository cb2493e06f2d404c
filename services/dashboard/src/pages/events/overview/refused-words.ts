// Why events were refused at the door, in words. A code without words does not compile.
import type { Answer } from '#dashboard/app/api.tsx';

type Refused = Answer<'getOverview'>['refused'];
type Reason = Refused['by_reason'][number]['reason'];

export const REFUSED: Readonly<Record<Reason, string>> = {
  invalid_json: 'The body was not valid JSON',
  invalid_request: 'Something in the event was wrong or missing',
  payload_too_large: 'The request was too large',
  unsupported_media_type: 'The body was not sent as application/json',
  unauthorized: 'The API key was missing, revoked or wrong',
  forbidden: 'The API key may not send events',
  merchant_mismatch: 'The event named another merchant than the API key',
  browser_ingestion_disabled: 'Events from browsers are switched off',
  origin_not_allowed: 'The website is not one that may send events',
  duplicate_event: 'An event with this id came within the last 24 hours',
  rate_limited: 'Too many requests in a short time',
  browser_limit_reached: 'More browser events in a minute than are taken',
};
