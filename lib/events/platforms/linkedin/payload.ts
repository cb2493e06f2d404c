// Events into one batch of conversion events. Amounts go as decimal text, digit for digit; one request carries up to
// 5,000 events.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { jsonBody } from '../json-body.ts';
import type { BuildRequest, FindFault } from '../platform.ts';
import { eventIdFault, moneyFault, personFault } from '../unsendable.ts';
import { LINKEDIN_VERSION, type LinkedinCredentials } from './credentials.ts';
import { LINKEDIN_EVENT_NAMES } from './event-names.ts';
import { userIds, userInfo } from './user-data.ts';

const ENDPOINT = 'https://api.linkedin.com/rest/conversionEvents';

/** Null when LinkedIn would take the event as far as one can tell without asking. Strict once credentials are given. */
export const linkedinUnsendable: FindFault<LinkedinCredentials> = (event, credentials) =>
  eventIdFault(event, LINKEDIN_EVENT_NAMES, credentials?.event_ids) ??
  moneyFault(event) ??
  personFault(userIds(event, credentials).length > 0);

export const linkedinRequest: BuildRequest<LinkedinCredentials> = (events, credentials, context) => {
  if (context.test) throw new RangeError('LinkedIn has no test mode: a test would be counted');
  const accessToken = credentials.access_token ?? context.accessToken;
  if (accessToken === undefined) throw new RangeError('a request needs an access token');
  return {
    method: 'POST',
    url: ENDPOINT,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${accessToken}`,
      'linkedin-version': context.version ?? LINKEDIN_VERSION,
      'x-restli-protocol-version': '2.0.0',
      'x-restli-method': 'BATCH_CREATE',
    },
    body: jsonBody({ elements: events.map((event) => conversionEvent(event, credentials)) }),
    secrets: [accessToken],
  };
};

/** https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads-reporting/conversions-api */
function conversionEvent(event: NormalizedEvent, credentials: LinkedinCredentials): Fields {
  const rule = credentials.event_ids[event.name];
  if (rule === undefined) throw new RangeError(`${event.name} has no conversion rule`);
  return {
    conversion: `urn:lla:llaPartnerConversion:${rule}`,
    conversionHappenedAt: event.eventTimeSec * 1_000,
    conversionValue:
      event.value === undefined ? undefined : { currencyCode: event.currency, amount: event.value },
    eventId: event.dedupId,
    user: {
      userIds: userIds(event, credentials),
      userInfo: userInfo(event),
      // The list may hold one.
      externalIds: [event.plaintext.externalId],
    },
  };
}
