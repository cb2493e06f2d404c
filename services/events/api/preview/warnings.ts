// What a marketer should know about an event before it is sent to a platform, as sentences.
import { notTakenBackText, testModeText } from '#lib/client/reason-words.ts';
import { UNNAMED } from '#lib/events/domain/event/input.ts';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import { type IdentityIssue, isSendersName } from '#lib/events/domain/identity/identity.ts';
import { isRemoval } from '#lib/events/domain/privacy/kinds.ts';
import type { Verdict } from '#lib/events/pipeline/verdicts.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { Notice } from '../events/notice.ts';

const ISSUES: Readonly<Record<IdentityIssue['code'], string>> = {
  empty: 'is empty, or nothing is left of it once normalized: it is not sent',
  literal_null: 'is a word like "null" or "undefined" in place of a value: it is not sent',
  hash_of_empty: 'is the SHA-256 of an empty text: it matches nobody and is not sent',
  already_hashed: 'came hashed: it is taken as it is, and nobody can check how it was normalized',
  double_hashed: 'looks hashed twice: it matches nobody',
  not_an_email: 'is not an e-mail address: it is not sent',
  phone_without_country_code: 'has no country code, and none could be told from country',
  not_a_phone: 'is not a phone number: it is not sent',
  zip_plus_four: 'is a ZIP+4: only its first five digits are used',
  unknown_country: 'is no country code or name: it is not sent',
  unknown_state: 'is no state or subdivision of the country: it is not sent',
  unknown_gender: 'is neither f nor m: it is not sent',
  not_a_date: 'is not a date: it is not sent',
  not_an_ip: 'is not an IP address: it is not sent',
  unknown_property: 'is not part of the schema: it is ignored',
  unknown_consent:
    'is a category of consent that is not known here and was refused: advertising and analytics are denied',
  repeated_order: 'is the order of another purchase, too: it is counted once',
  refund_reduced: 'is of an order with less left than the refund: what was left is taken back',
  refund_repeated: 'was taken before: the refund takes nothing back',
  refund_refused: 'is not what its order can be refunded in: the refund takes nothing back',
  order_unknown: 'is of no known order: the refund is counted with it once it comes',
  browser_copy_differs:
    'is that of a browser event that said something else and may have gone out before: this one goes out under an id of its own',
  not_an_identifier: 'is no identifier of a click or browser as its platform makes them: it is not sent',
  click_out_of_time: 'is of a click in the future, or of one more than 90 days ago: it is not sent',
  page_missing:
    'is missing or no address of the web: platforms that match by the page get the event without it',
  email_removed: 'holds an e-mail address: it is removed from what platforms get',
  phone_removed: 'holds a phone number: it is removed from what platforms get',
  person_removed: 'holds a name, a street or a date of birth: it is removed from what platforms get',
  card_removed: 'holds a card number: it is removed from what platforms get',
  iban_removed: 'holds a bank account: it is removed from what platforms get',
  secret_removed: 'holds a password, a token or a session: it is removed from what platforms get',
  national_id_removed: 'holds a national identity number: it is removed from what platforms get',
  personal_data_allowed: 'is allowed by the settings of the account: something personal goes out in it',
  person_suppressed: 'is of a person who was erased or objected: nothing of it was kept',
  malformed: 'is not well formed: it is not sent',
};

/** Of an issue about all of it. */
const USER_DATA = 'user_data';

const UNNAMED_TEXTS: Readonly<Partial<Record<IdentityIssue['code'], string>>> = {
  personal_data_allowed: 'Something personal goes out under names that the settings of the account allow.',
  unknown_property: 'Some properties are not part of the schema: they are ignored.',
  unknown_consent:
    'Some categories of consent are not known here and were refused: advertising and analytics are denied.',
};

export function issueNotices(issues: readonly IdentityIssue[]): readonly Notice[] {
  return issues.map(({ field, code }) => {
    if (field === UNNAMED) return { code, message: UNNAMED_TEXTS[code] ?? `Something ${ISSUES[code]}.` };
    // What a sender named, or removal names, comes with its whole path, identifiers with their name in user_data.
    const path = isSendersName(code) || isRemoval(code) || field === USER_DATA ? field : `user_data.${field}`;
    return { code, field: path, message: `${path} ${ISSUES[code]}.` };
  });
}

/** What would keep the event from the platform; null where nothing would. */
export function withheldNotice(
  { code, detail }: Verdict,
  event: NormalizedEvent,
  { label, insteadOfRefunds }: Platform,
): Notice | null {
  switch (code) {
    case 'pending':
    case 'connection_paused':
      return null;
    case 'not_connected':
      return { code, message: `${label} is not connected: nothing is sent to it.` };
    case 'not_selected':
      return { code, message: `The event was sent again to other platforms than ${label} only.` };
    case 'server_copy':
      return { code, message: `${label} gets the server event of the same event_id instead.` };
    case 'same_order':
      return { code, message: `${label} has the order from another event with the same order_id.` };
    case 'test_mode':
      return { code, message: testModeText(label, detail) };
    case 'not_taken_back':
      return { code, field: 'event_name', message: notTakenBackText(label, detail, insteadOfRefunds) };
    case 'rule_excluded':
      return { code, message: `The rule ${detail} keeps the event from ${label}.` };
    case 'consent_denied':
      return {
        code,
        field: `consent.${detail}`,
        message: `${detail} was denied: the event is withheld from ${label}.`,
      };
    case 'consent_missing':
      return {
        code,
        field: `consent.${detail}`,
        message: `The connection requires ${detail}, which was not granted: the event is withheld from ${label}.`,
      };
    case 'event_not_listed':
      return {
        code,
        field: 'event_name',
        message: `The connection's own list of events does not have ${detail}.`,
      };
    case 'invalid':
      return { code, field: detail, message: `${label} refuses an event with this ${detail}.` };
    case 'unmapped':
      return {
        code,
        field: 'event_name',
        message: `${event.customName ?? event.name} is not mapped to an event of ${label}.`,
      };
    case 'too_old':
      return {
        code,
        field: 'event_time',
        message: `The event is older than ${label} accepts (${ageText(detail ?? '')}): it is withheld.`,
      };
    case 'personal_found':
      return {
        code,
        field: detail,
        message: `${detail} holds something personal: the settings of the account keep such events from ${label}.`,
      };
    case 'suppressed':
      return { code, message: `The person was erased or objected: the event is withheld from ${label}.` };
    case 'bot':
      return { code, message: 'The event came from a crawler or a headless browser: it is withheld.' };
  }
}

/** `604800s` → `7 days`. */
function ageText(detail: string): string {
  const seconds = Number(detail.replace(/s$/, ''));
  if (!Number.isFinite(seconds)) return detail;
  return seconds % 86_400 === 0 ? `${seconds / 86_400} days` : `${Math.round(seconds / 3_600)} hours`;
}

export function customNameNotice({ name, customName }: NormalizedEvent): Notice | null {
  if (name !== 'Custom' || customName === undefined) return null;
  const message = `${customName} is none of the standard names: it is counted as Custom.`;
  return { code: 'custom_event_name', field: 'event_name', message };
}
