// Signed requests to a server of the merchant's choice. See README.md for every rule and its source.
import { definePlatform } from '../platform.ts';
import { webhookCredentials } from './credentials.ts';
import { WEBHOOK_EVENT_NAMES } from './event-names.ts';
import { isTestable, webhookRequest, webhookUnsendable } from './payload.ts';
import { isWebhookError, readWebhookAnswer, WEBHOOK_ERRORS } from './response.ts';

export default definePlatform({
  slug: 'webhook',
  label: 'Webhook',
  api: {
    version: '1.0.0',
    docs: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
    readOn: '2026-11-27',
  },
  isOwnServer: true,
  credentials: webhookCredentials,
  limits: {
    batchSizeMax: 1,
    ageMaxSec: 0,
    bodySizeMaxBytes: 1_000_000,
    timeoutMs: 15_000,
    allOrNothing: false,
  },
  eventNames: WEBHOOK_EVENT_NAMES,
  sealedFields: [],
  takenMeans: {
    text: 'the server answered with 2xx',
    source: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  },
  consentSignals: ['ad_user_data'],
  unsendable: webhookUnsendable,
  testable: isTestable,
  keepsTestsApart: true,
  buildRequest: webhookRequest,
  deletion: {
    offered: 'no',
    why: 'What your own server got, it keeps: delete the person there.',
    docs: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
    readOn: '2026-11-27',
  },
  errors: WEBHOOK_ERRORS,
  isOwnError: isWebhookError,
  readAnswer: readWebhookAnswer,
});
