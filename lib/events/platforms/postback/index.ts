// Conversions reported to networks by the id of the click: Awin, Criteo, Impact, Outbrain, Taboola. See README.md.
import { noDeletion } from '../deletion.ts';
import { definePlatform } from '../platform.ts';
import { postbackCredentials } from './credentials.ts';
import { POSTBACK_EVENT_NAMES } from './event-names.ts';
import { isTestable, postbackRequest, postbackUnsendable } from './payload.ts';
import { isPostbackError, POSTBACK_ERRORS, readPostbackAnswer } from './response.ts';

const DOCS = 'https://integrations.impact.com/brand-api-reference';

export default definePlatform({
  slug: 'postback',
  label: 'Click-id postback',
  api: { version: '1', docs: DOCS, readOn: '2026-11-27' },
  experimental: true,
  credentials: postbackCredentials,
  limits: {
    batchSizeMax: 1,
    ageMaxSec: 0,
    bodySizeMaxBytes: 1_000_000,
    timeoutMs: 10_000,
    allOrNothing: false,
  },
  /** Each conversion is a request: https://help.awin.com/docs/awins-apis-overview, https://integrations.impact.com/brand-api-reference/readme/rate-limits */
  quotas: [
    { counts: 'events', max: 20, perSec: 60, of: (_event, { network }) => network === 'awin' },
    { counts: 'events', max: 1_000, perSec: 3_600, of: (_event, { network }) => network === 'impact' },
  ],
  eventNames: POSTBACK_EVENT_NAMES,
  sealedFields: [],
  clickIds: ['tblci', 'ob_click_id', 'awc', 'irclickid'],
  dedup: { purchasesByOrder: ({ conversion_id }) => conversion_id === 'order_id' },
  takenMeans: { text: 'the network got the call, not that it found the click', source: DOCS },
  consentSignals: ['ad_user_data', 'ad_storage', 'ad_personalization'],
  unsendable: postbackUnsendable,
  testable: isTestable,
  buildRequest: postbackRequest,
  deletion: noDeletion('The network', DOCS, '2026-11-27'),
  errors: POSTBACK_ERRORS,
  isOwnError: isPostbackError,
  readAnswer: readPostbackAnswer,
});
