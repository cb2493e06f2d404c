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
    "Code written for Segment's server libraries sends here by a change of two settings: `host` is the ingestion URL, `writeKey` an API key with the scope `events:write`. Keys are secret: pages in a browser use `pixel.js` instead.",
    "```ts\nnew Analytics({ writeKey: 'evk_live_…', host: ingestionUrl });\n```",
    'Taken are `POST /v1/batch` and `POST /v1/track`, `/v1/page`, `/v1/screen`, `/v1/identify`, `/v1/group` and `/v1/alias`, with the key as user name of HTTP Basic (or as bearer); the answer is 200 `{"success": true}`. A batch also answers `results`, one per message: a wrong one is refused alone, with the name of its field. Where a message could not be stored the answer is 503 with `Retry-After`, and the libraries send the batch again; what was stored then counts as a success.',
    `RudderStack's libraries send here the same way, with \`dataPlaneUrl\` and the key as write key. Their short paths are taken as well: ${SEGMENT_ROUTES.map((route) => `${listed(route.aliases)} as ${code(route.path)}`).join('; ')}. The body may be compressed with gzip, and its \`Content-Type\` is not looked at.`,
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
    `Identifiers of clicks that no field brought are taken from the address of the page, then from that of the page before, as with every event: ${listed(CLICK_PARAMETERS.split(',').map((entry) => entry.split(':', 1)[0] ?? entry))}, and \`fbclid\` as \`fbc\`.`,
    '## Consent',
    '`context.consent.categoryPreferences` (category → allowed or not), `context.consentManagement` of RudderStack (`allowedConsentIds`, `deniedConsentIds`), `context.device.adTrackingEnabled` (`false` denies advertising) and `context.consent.tcString` (IAB, version 2; it only denies) become the four signals of `consent`. Of two statements about one signal the stricter holds. Categories are known under these names, whatever their case and punctuation:',
    table(
      ['Category', 'Signals'],
      CONSENT_CATEGORIES.map(({ names, signals }) => [
        names.map(code).join(', '),
        signals.length === 0 ? 'none: nothing here depends on it' : signals.map(code).join(', '),
      ]),
    ),
    'A category of another name that was **refused** denies all four, and stands in the `issues` of the event (`unknown_consent`). One that was allowed grants nothing. Where a name of yours means less, send it under one of the names above.',
    '## Destinations',
    '`integrations` says which platforms may have the event, by the slug or by the names Segment has for it, whatever their case and punctuation; `All` stands for the others.',
    table(
      ['Platform', 'Names'],
      Object.entries(SEGMENT_DESTINATIONS).map(([slug, names]) => [code(slug), names.join(', ')]),
    ),
  ];
}

const OF_BROWSER = 'user_data.browser_ids.';

const row = ({ to, from }: SegmentField): [string, string] => [code(to), listed(from)];
