// What a reason of the API says, in words for a person: why a delivery is where it is, or why none was made. The API's own
// sentences and the pages use the same words. Whatever is asked, there is an answer: what a platform says by a code of its own is
// quoted.
import type { NEVER_DONE } from '../events/domain/deliveries/confirmation.ts';
import type { DeliveryState, ParkingReason } from '../events/domain/deliveries/delivery.ts';
import type { NotTakenBack, PURCHASE_OPEN } from '../events/domain/orders/refund.ts';
import type { ENDED, PROCESSING, STATUSES } from '../events/routes/events.ts';

type VerdictCode = Exclude<
  (typeof STATUSES)[number],
  DeliveryState | (typeof ENDED)[number] | typeof PROCESSING
>;
/** Why no answer came. */
type LineFailure = 'timeout' | 'reset' | 'refused' | 'dns' | 'tls' | 'blocked' | 'aborted' | 'other';
type OwnReason =
  | 'auth'
  | 'manual'
  | Exclude<ParkingReason, VerdictCode>
  | 'rate_limited'
  | 'retry'
  | 'out_of_time'
  | 'too_many_refusals'
  | 'window_closed'
  | 'gave_up'
  | 'duplicate'
  | 'unreadable_answer'
  | 'platform_defect'
  | 'answer_defect'
  | typeof NEVER_DONE
  | 'unknown_request'
  | 'another_account'
  | 'not_asked'
  | typeof PURCHASE_OPEN;

const WORDS: Readonly<Record<VerdictCode | LineFailure | OwnReason, string>> = {
  auth: 'the platform refuses the credentials',
  manual: 'a person paused it',
  circuit_open: 'the platform does not take events at the moment',
  platform_limit: 'held back by the platform’s limit; it goes out as fast as that allows',
  rate_limited: 'the platform asked for a pause',
  retry: 'the platform asked for another attempt',
  out_of_time: 'the attempt ran out of time',
  too_many_refusals: 'too many events sent with it were refused',
  window_closed: 'the time in which it could be sent is over',
  gave_up: 'the attempts or the time for them ran out',
  duplicate: 'the platform had it already',
  unreadable_answer: 'the answer could not be read',
  platform_defect: 'the request could not be made: a defect of ours',
  answer_defect: 'the answer could not be understood: a defect of ours',
  never_done: 'it had not finished after a day',
  unknown_request: 'it does not know the request',
  another_account: 'the request was of another account',
  not_asked: 'it is not asked any more',
  purchase_open: 'its purchase has not arrived there yet',
  timeout: 'no answer came in time',
  reset: 'the connection broke',
  refused: 'the platform refused it',
  dns: 'the address of the platform was not found',
  tls: 'no secure connection could be made',
  blocked: 'the address is not one that may be called',
  aborted: 'the call was broken off',
  other: 'the call failed',
  pending: 'it is to be sent',
  not_connected: 'the platform was not connected',
  not_selected: 'it was sent again to other platforms only',
  connection_paused: 'the connection is paused',
  rule_excluded: 'a rule keeps it back',
  consent_denied: 'consent was denied',
  consent_missing: 'the connection requires a consent that was not granted',
  event_not_listed: 'the list of events of the connection does not have it',
  invalid: 'it lacks what the platform requires',
  unmapped: 'the platform has no use for this event name',
  too_old: 'it is older than the platform accepts',
  personal_found: 'something personal was found in it',
  suppressed: 'its person was erased, or objected',
  bot: 'it came from a crawler or a headless browser',
  server_copy: 'it yielded to its server copy',
  same_order: 'the platform has the order from another event',
  not_taken_back: 'not taken back there',
  test_mode: 'it came with a test key',
};

const NOT_TAKEN_BACK: Readonly<Record<NotTakenBack, string>> = {
  no_way: 'it takes no refunds',
  no_grant: 'the connection lacks the access that refunds need',
  order_unknown: 'its order, or what that was worth, is not known',
  from_page: 'only servers say what is refunded',
  nothing: 'it takes nothing back',
  not_delivered: 'it did not get the purchase from here',
  connection_changed: 'the connection was changed after the purchase',
  purchase_changed: 'a rule changed the purchase',
  too_late: 'it takes changes of the purchase no longer',
};

/** `code`, `code:detail` or a code of a platform's such as `meta.100`. Begins in lower case, ends without a stop. */
export function reasonWords(reason: string): string {
  const at = reason.indexOf(':');
  const code = at < 0 ? reason : reason.slice(0, at);
  const detail = at < 0 ? '' : reason.slice(at + 1);
  if (Object.hasOwn(WORDS, code)) {
    const words = WORDS[code as keyof typeof WORDS];
    return detail === '' ? words : `${words} (${detailWords(detail)})`;
  }
  const status = /^http_(\d{3})$/.exec(reason)?.[1];
  if (status !== undefined) return `the answer was ${status}`;
  // `pinterest.failed`: which platform is clear from where it stands.
  const said = /^[a-z0-9_-]+\.(.+)$/.exec(reason)?.[1] ?? reason;
  return `the platform said “${said}”`;
}

/** Of what a verdict is about: one of our reasons, why a refund changes nothing, an age, or the name of a field, a signal or a rule as it is. */
function detailWords(detail: string): string {
  if (Object.hasOwn(NOT_TAKEN_BACK, detail)) return NOT_TAKEN_BACK[detail as NotTakenBack];
  if (Object.hasOwn(WORDS, detail)) return WORDS[detail as keyof typeof WORDS];
  const seconds = /^(\d+)s$/.exec(detail)?.[1];
  return seconds === undefined ? detail : `${Math.round(Number(seconds) / 86_400)} days`;
}

/** A sentence about an event of a test key that was not sent. */
export const testModeText = (label: string, why?: string): string =>
  why === undefined
    ? `It came with a test key, and ${label} would count it.`
    : `It came with a test key, and is not tried again: ${detailWords(why)}.`;

/** About a refund that changes nothing at the platform. `instead`: what to do there, if it never takes one. */
export function notTakenBackText(label: string, why = '', instead = ''): string {
  const said = `Not taken back by ${label}: ${detailWords(why)}.`;
  return why === 'no_way' && instead !== '' ? `${said} ${instead}` : said;
}
