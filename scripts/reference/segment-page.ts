// docs/reference/segment.md: what becomes of the calls of Segment's tracking API, out of the table the mapping folds from.
import { CLICK_PARAMETERS } from '../../lib/events/domain/identity/click-parameters.ts';
import { BROWSER_ID_KEYS } from '../../lib/events/domain/identity/identity.ts';
import { CONSENT_CATEGORIES } from '../../lib/events/domain/segment/consent.ts';
import {
  SEGMENT_APP_FIELDS,
  SEGMENT_DESTINATIONS,
  SEGMENT_FIELDS,
  SEGMENT_ITEM_FIELDS,
  type SegmentField,
} from '../../lib/events/domain/segment/fields.ts';
import { SEGMENT_ROUTES } from '../../lib/events/routes/ingestion.ts';
import { code, facts, listed, table } from './markdown.ts';

export function segmentPage(): string[] {
  return [
    "Code written for Segment's server libraries changes two settings: `host` is the ingestion URL, `writeKey` an API key with the scope `events:write`. Keys are secret: pages use [another](#in-a-page).",
    "```ts\nnew Analytics({ writeKey: 'evk_live_…', host: ingestionUrl });\n```",
    'Taken are `POST /v1/batch` and `POST /v1/track`, `/v1/page`, `/v1/screen`, `/v1/identify`, `/v1/group` and `/v1/alias`, with the key as user name of HTTP Basic (or as bearer); the answer is 200 `{"success": true}`. A batch also answers `results`: a wrong message is refused alone, by the name of its field. Where one could not be stored the answer is 503, and the libraries send all again; what was stored succeeds.',
    `RudderStack's libraries send here the same way, with \`dataPlaneUrl\`. Their short paths are taken too: ${listed(SEGMENT_ROUTES.flatMap(({ auth, aliases }) => (auth === 'public' ? [] : aliases)))}. The body may be gzip, of any \`Content-Type\`.`,
    '## In a page',
    "`@segment/analytics-next` sends browser events, under the [pixel's](../../services/events/pixel/README.md) rules, with the merchant's id as write key. An API key there is refused. Nothing is asked of Segment:",
    "```ts\nAnalyticsBrowser.load({ writeKey: merchantId, cdnSettings: {\n  integrations: { 'Segment.io': { apiKey: merchantId, apiHost: 'ingestion.example/v1/browser' } },\n  metrics: { sampleRate: 0 },\n} });\n```",
    '`dist/umd/standalone.js` reads `cdnSettings` from `/v1/projects/<writeKey>/settings` below `analytics._cdn`: host both. Batches (`deliveryStrategy`) hold up to 30. Where a server sends it too, give both one id: `track(name, properties, { messageId })`.',
    '## Calls',
    table(
      ['Call', 'Event name', 'Reaches platforms'],
      [
        [code('track'), `its ${code('event')}, folded to the canonical name`, 'yes'],
        [`${code('page')}, ${code('screen')}`, '`PageView`', 'yes'],
        [
          `${code('identify')}, ${code('group')}, ${code('alias')}`,
          '`Identify`, `Group`, `Alias`',
          'no: kept and shown. Identity is taken from `context.traits` of each call.',
        ],
      ],
    ),
    '## Fields',
    'The first path that holds something is taken; a number may be its text.',
    facts([
      [
        code('event_id'),
        `${code('messageId')}; without one a digest of the message where it has a time, else a random id`,
      ],
      [
        code('event_time'),
        `${code('timestamp')}, ${code('originalTimestamp')}, or now; by ${code('sentAt')} where the sender's clock is more than 10 minutes ahead`,
      ],
      [code('source'), 'always `segment`'],
      ...SEGMENT_FIELDS.filter(({ to }) => !to.startsWith(OF_BROWSER)).map(row),
      [
        code(`${OF_BROWSER}*`),
        `${code('properties.*')}, ${code('context.*')} of the same name: ${listed(BROWSER_ID_KEYS)}`,
      ],
      [code('currency'), 'USD where money comes without one, as Segment defines it'],
      [
        code('action_source'),
        `${code('app')} for ${code('screen')} and where ${code('context.app')} is given; fields of ${code('app')} are taken then alone`,
      ],
      ...SEGMENT_APP_FIELDS.map(row),
      [code('custom_data'), 'what is left of `properties`, or of `traits` in `identify` and `group`'],
    ]),
    '## Items',
    'From `properties.products`, or from `properties` where they hold a `product_id` or `sku`. A product without an id is left out.',
    facts(SEGMENT_ITEM_FIELDS.map(row)),
    '## Clicks',
    `Clicks that no field brought are taken from the page's address, then the referrer's, as with every event: ${listed(CLICK_PARAMETERS.split(',').map((entry) => entry.split(':', 1)[0] ?? entry))}, and \`fbclid\` as \`fbc\`.`,
    '## Consent',
    '`context.consent.categoryPreferences` (category → allowed or not), `context.consentManagement` of RudderStack (`allowedConsentIds`, `deniedConsentIds`), `context.device.adTrackingEnabled` (`false` denies advertising) and `context.consent.tcString` (IAB, version 2; it only denies) become the four signals of `consent`. The stricter of two statements holds. Known categories, whatever case and punctuation:',
    table(
      ['Category', 'Signals'],
      CONSENT_CATEGORIES.map(({ names, signals }) => [
        names.map(code).join(', '),
        signals.length === 0 ? 'none: nothing here depends on it' : signals.map(code).join(', '),
      ]),
    ),
    'A category of another name that was **refused** denies all four, and stands in the `issues` of the event (`unknown_consent`). One that was allowed grants nothing.',
    '## Destinations',
    '`integrations` says which platforms may have the event, by slug or Segment name, whatever case and punctuation; `All` stands for the others.',
    table(
      ['Platform', 'Names'],
      Object.entries(SEGMENT_DESTINATIONS).map(([slug, names]) => [code(slug), names.join(', ')]),
    ),
  ];
}

const OF_BROWSER = 'user_data.browser_ids.';

const row = ({ to, from }: SegmentField): [string, string] => [code(to), listed(from)];
