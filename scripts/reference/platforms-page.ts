// What holds for all platforms, and where each has its page.
import { SEALED_FIELD_NAMES } from '../../lib/events/domain/identity/identity.ts';
import type { Platform } from '../../lib/events/platforms/platform.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { bullets, code, listed, table } from './markdown.ts';
import { errorKinds, formsTable, statusTable } from './platform-page.ts';
import { pageless, type Tried, whereItHappened } from './where-it-happened.ts';

export const fileOf = ({ slug }: Platform): string => `${slug.replaceAll('_', '-')}.md`;

export function platformsPage(tried: readonly Tried[]): string[] {
  const overview = table(
    ['Platform', 'Slug'],
    PLATFORMS.map((platform) => [
      `[${platform.label}](${fileOf(platform)})${platform.experimental === true ? ' (experimental)' : ''}`,
      code(platform.slug),
    ]),
  );
  const plain = bullets(
    PLATFORMS.filter(({ sealedFields }) => sealedFields.length > 0).map(
      ({ label, sealedFields }) =>
        `${label}: ${listed(sealedFields.map((field) => SEALED_FIELD_NAMES[field]))}`,
    ),
  );
  return [
    'A name of a platform’s own goes there unchanged, whatever event it counts as here; other names of your own are `Custom`. Fields of `user_data` without a row are not sent. The pages show a field of the event in another form (`as`) where it has one: of an `event_time` of 1795176000, a `value` of 59.98. A SHA-256 in place of a value is passed on as it is where a digest is taken. Attempts end with the acceptance window, and an older event is `too_old`; a replay keeps the original id.',
    'Click ids that were not sent are read from `event_source_url`, then from `referrer_url`, unless `ad_storage` is denied. A bare `fbclid` becomes an `fbc` of the time of the event; of Google’s session cookie the session is taken. The country code of a phone number comes from a leading + or 00, else from the country; else eleven digits or more are taken to contain it.',
    overview,
    '## Forms',
    'Made of the value, and sent as its SHA-256.',
    formsTable(),
    '## Unhashed fields',
    'Everything else about a person leaves as a SHA-256 digest, or not at all; platforms without a line take nothing unhashed.',
    plain,
    '## Where it happened',
    `By \`action_source\`; absent, it is \`website\`. An event of a website without its page is sent with the issue \`page_missing\`, and withheld from ${pageless(tried)} alone. An app event is withheld where the connection has no place for apps (a Snap App ID, a TikTok source of the kind \`app\`), and by the name of the field where \`app\` lacks one that the platform requires: Meta and Snap \`platform\`, \`os_version\` and \`tracking\`, TikTok \`id\`, \`platform\` and on iOS \`tracking\`, Google Analytics in an app stream \`instance_id\`, Pinterest \`platform\`.`,
    ...whereItHappened(tried),
    '## By the status',
    'Where no line of the platform’s page fits.',
    statusTable(),
    '## What errors mean',
    errorKinds(),
  ];
}
