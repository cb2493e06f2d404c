// A person's deletion at Klaviyo: a job for each identifier, for a request names one, and takes all profiles that have it.
// https://developers.klaviyo.com/en/reference/request_profile_deletion
import type { Fields } from '../answer.ts';
import type { DeletionDefinition } from '../deletion.ts';
import { jsonBody } from '../json-body.ts';
import type { KlaviyoCredentials } from './credentials.ts';
import { KLAVIYO_HOST, klaviyoHeaders } from './payload.ts';
import { klaviyoError } from './response.ts';

const ACCEPTED = 202;

export const klaviyoDeletion: DeletionDefinition<KlaviyoCredentials> = {
  offered: 'yes',
  docs: 'https://developers.klaviyo.com/en/reference/request_profile_deletion',
  readOn: '2026-11-27',
  finds: 'an e-mail address or a phone number, unhashed',
  names: ({ email, phone }) => email !== undefined || phone !== undefined,
  buildRequests: ({ email, phone }, credentials) =>
    [
      ...(email === undefined ? [] : [{ email }]),
      ...(phone === undefined ? [] : [{ phone_number: phone }]),
    ].map((identifier) => ({
      method: 'POST',
      url: `${KLAVIYO_HOST}/api/data-privacy-deletion-jobs`,
      headers: klaviyoHeaders(credentials),
      body: jsonBody({ data: job(identifier) }),
      secrets: [credentials.private_api_key],
    })),
  readAnswer: (answer, body) =>
    answer.status === ACCEPTED ? { kind: 'delivered' } : klaviyoError(answer, body, 1),
};

const job = (identifier: Fields): Fields => ({
  type: 'data-privacy-deletion-job',
  attributes: { profile: { data: { type: 'profile', attributes: identifier } } },
});
