// A person's deletion at Amazon: one request with all that is known of them, hashed. Of events that come later nothing is deleted.
// Host, path, permission, body and answer: Amazon DSP, Conversions API, Data Deletion Requests. That it covers what the Events API
// took is UNVERIFIED: both are of the same event manager, and no document says so.
import { errorOutcome, isSuccess, joined, outcome, recordsOf } from '../answer.ts';
import type { DeletedPerson, DeletionDefinition } from '../deletion.ts';
import { jsonBody } from '../json-body.ts';
import type { AmazonCredentials } from './credentials.ts';
import { AMAZON_HOSTS } from './payload.ts';
import { AMAZON_ERRORS, amazonCode } from './response.ts';

const MEDIA_TYPE = 'application/vnd.dspuserdeletionrequest.v1+json';

export const amazonDeletion: DeletionDefinition<AmazonCredentials> = {
  offered: 'yes',
  docs: 'https://advertising.amazon.com/API/docs/en-us/dsp-conversions-api',
  readOn: '2026-11-27',
  finds: 'an e-mail address or a phone number',
  names: (person) => matchKeysOf(person).length > 0,
  buildRequests: (person, { region, account_id, client_id }, { accessToken }) => {
    if (accessToken === undefined) throw new RangeError('a request needs an access token');
    return [
      {
        method: 'POST',
        url: `https://${AMAZON_HOSTS[region]}/accounts/${account_id}/dsp/conversionDefinitions/delete`,
        headers: {
          'content-type': MEDIA_TYPE,
          accept: MEDIA_TYPE,
          authorization: `Bearer ${accessToken}`,
          'amazon-advertising-api-clientid': client_id,
          'amazon-ads-accountid': account_id,
        },
        body: jsonBody({ deletionRequests: [{ matchKeys: matchKeysOf(person) }] }),
        secrets: [accessToken],
      },
    ];
  },
  readAnswer: (answer, body) => {
    if (!isSuccess(answer) || body === undefined) {
      const said = { codes: [], code: amazonCode(body?.code), message: body?.message };
      return errorOutcome(AMAZON_ERRORS, answer, 1, said);
    }
    const [error] = recordsOf(body.error);
    if (error === undefined)
      return recordsOf(body.success).length > 0
        ? { kind: 'delivered' }
        : outcome({ kind: 'retry', code: 'unaccounted' });
    const message = joined([error.message, recordsOf(error.errors)[0]?.message], ': ');
    return outcome({ kind: 'permanent', code: amazonCode(error.code) ?? 'amazon.error', message });
  },
};

const matchKeysOf = ({ hashed }: DeletedPerson) =>
  Object.entries({ EMAIL: hashed.emailAmazon, PHONE: hashed.phoneDigits }).flatMap(([type, value]) =>
    value === undefined ? [] : [{ type, values: [value] }],
  );
