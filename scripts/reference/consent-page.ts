// The published truth table of consent: what each platform is sent under each statement, found by trying all of them.

import type { PlatformExample } from '#test/platforms/platform-example.ts';
import { CONSENT_SIGNALS, type ConsentSignal } from '../../lib/events/domain/event/consent.ts';
import { BROWSER_ID_KEYS } from '../../lib/events/domain/identity/identity.ts';
import type { Platform } from '../../lib/events/platforms/platform.ts';
import { GLOBAL_PRIVACY_CONTROL } from '../../services/events/ingestion/browser-path.ts';
import { type Effect, effectOf, NOTHING_STATED, STATES, type Statement } from './consent-effects.ts';
import { code, table } from './markdown.ts';

export interface Described {
  readonly platform: Platform;
  readonly example: PlatformExample;
}

export function consentPage(platforms: readonly Described[]): readonly string[] {
  return [
    'What a platform is sent depends on what the event states in `consent`: `{"ad_user_data", "ad_personalization", "ad_storage", "analytics"}`, each `granted`, `denied`, or absent. Found by putting one purchase through the code under each statement.',
    '**Sent**: as if nothing had been stated. **Withheld**: the platform gets nothing, and the verdict of the event is `consent_denied` with the signal. `+` is a value that comes into the request, `-` one that goes out of it.',
    '## What a signal means',
    table(['Signal', 'The person lets you'], MEANINGS),
    'A refusal of `ad_user_data` or `ad_personalization` for which a platform of advertising has no field keeps the event from it: LinkedIn has none, and where X would want its Restricted Data Use in this interface could not be verified. `ad_personalization` has no effect at Klaviyo, which chooses no ads, nor `ad_storage` at Google Analytics, which gets no advertising ids. Nothing stated is not a refusal: who must ask first states `denied` until the answer is there.',
    'What the device says goes before it: the advertising id (`user_data.madid`) leaves for no platform where `app.tracking` is anything but `authorized`.',
    '## Signal by signal',
    `A signal that is absent, or has no row, changes nothing; ${code(PLAIN)} denied withholds where it has no row.`,
    table(['Platform', 'Signal', ...STATED], platforms.flatMap(rowsOf)),
    'Several signals: withholding goes first, otherwise the effects add up. Where they do not:',
    table(['Platform', 'Stated', 'What happens'], platforms.flatMap(meetings)),
    '## Global Privacy Control',
    'A browser that sends `Sec-GPC: 1` to `POST /v1/browser/events` refuses `ad_user_data`, `ad_personalization` and `ad_storage`, whatever the body states; `analytics` is as stated. A shop that holds a later, explicit consent of this person sends the event from its server. The pixel does the same by itself, and takes Do Not Track for the same refusal.',
    `Under it every platform is withheld but, with the effects above, ${platforms
      .filter((one) => under(one, GLOBAL_PRIVACY_CONTROL).withheldBy === null)
      .map(({ platform }) => platform.label)
      .join(', ')}.`,
  ];
}

const STATED = STATES.filter((state) => state !== 'absent');

const MEANINGS: readonly (readonly [string, string])[] = [
  ['`ad_user_data`', 'give data about them to a platform of advertising'],
  ['`ad_personalization`', 'have ads chosen for them by it'],
  ['`ad_storage`', 'read ids kept on their device: cookies, click ids, the advertising id'],
  ['`analytics`', 'measure what they do'],
];

function rowsOf(described: Described): string[][] {
  return CONSENT_SIGNALS.flatMap((signal) => {
    const cells = STATED.map((state) => cell(under(described, { [signal]: state })));
    const usual = signal === PLAIN ? `**withheld** (${code(PLAIN)})` : 'sent';
    return cells.join() === `sent,${usual}` ? [] : [[described.platform.label, code(signal), ...cells]];
  });
}

/** Refused, it withholds nearly everywhere, and granted it is seldom a value of a request: that is no row. */
const PLAIN: ConsentSignal = 'ad_user_data';

function under({ platform, example }: Described, stated: Partial<Statement>): Effect {
  return effectOf(platform, example, { ...NOTHING_STATED, ...stated });
}

function cell({ withheldBy, changes }: Effect): string {
  if (withheldBy !== null) return `**withheld** (${code(withheldBy)})`;
  return changes.length === 0 ? 'sent' : `sent: ${[...new Set(together(changes))].map(code).join(', ')}`;
}

/** All identifiers of a browser, where all go out, are said as one. */
function together(changes: readonly string[]): readonly string[] {
  const ofBrowser = /^(- .*\bbrowser_ids)\.\w+$/;
  const gone = changes.filter((change) => ofBrowser.test(change));
  return gone.length < BROWSER_ID_KEYS.length
    ? changes
    : changes.map((change) => change.replace(ofBrowser, '$1.*'));
}

/** Pairs of statements whose effect is not the sum of the two. */
function meetings(described: Described): string[][] {
  return CONSENT_SIGNALS.flatMap((one, i) =>
    CONSENT_SIGNALS.slice(i + 1).flatMap((other) => pairs(described, one, other)),
  );
}

function pairs(described: Described, one: ConsentSignal, other: ConsentSignal): string[][] {
  return STATED.flatMap((first) =>
    STATED.flatMap((second) => {
      const both = under(described, { [one]: first, [other]: second });
      const alone = [under(described, { [one]: first }), under(described, { [other]: second })];
      const withheld = alone.some(({ withheldBy }) => withheldBy !== null);
      const sum = new Set(alone.flatMap(({ changes }) => changes));
      const isSum = withheld ? both.withheldBy !== null : sameSet(sum, new Set(both.changes));
      const statement = `${code(`${one}: ${first}`)}, ${code(`${other}: ${second}`)}`;
      return isSum ? [] : [[described.platform.label, statement, cell(both)]];
    }),
  );
}

const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((item) => b.has(item));
