// Says which versions of platforms' APIs requests are made for, which of them end soon or have ended, and which were read so long ago that it is not known. A version that
// ends within a quarter, or was read more than a year ago, is a warning; one that has ended fails the check.
import { DAY_MS } from '../lib/core/work/time-slot.ts';
import { endingOf, versionsOf } from '../lib/events/domain/connections/api-version.ts';
import type { Platform } from '../lib/events/platforms/platform.ts';
import { INTERFACES, type Interface } from './drift/interfaces.ts';
import { pinnedTable } from './drift/tables.ts';
import { VENDORS } from './drift/vendors.ts';

const READ_MAX_DAYS = 365;

export interface Drift {
  readonly slug: string;
  readonly kind: 'ended' | 'ends_soon' | 'read_long_ago';
  /** A sentence with the dates. */
  readonly text: string;
}

type Dated = Pick<Platform, 'api'> & { readonly slug: string };

/** What to look at on this day; `today` is YYYY-MM-DD. A version is still served on the day before its sunset. */
export function driftOf(platforms: readonly Dated[], today: string): readonly Drift[] {
  return platforms.flatMap((platform) => [...sunsetDrift(platform, today), ...readingDrift(platform, today)]);
}

function sunsetDrift(platform: Dated, today: string): readonly Drift[] {
  return versionsOf(platform).flatMap((version, at) => {
    const text = endingOf(version, Date.parse(today));
    if (text === undefined) return [];
    return [{ slug: platform.slug, kind: at === 0 && text.includes('ended') ? 'ended' : 'ends_soon', text }];
  });
}

function readingDrift({ slug, api }: Dated, today: string): readonly Drift[] {
  const age = days(api.readOn, today);
  if (age <= READ_MAX_DAYS) return [];
  return [
    {
      slug,
      kind: 'read_long_ago',
      text: `its documentation was read on ${api.readOn}, ${age} days ago: ${api.docs}`,
    },
  ];
}

const days = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** Which versions requests are made for, and which description they were last held against. */
export function pinnedOf({ name, platform }: Omit<Interface, 'examples'>): string {
  const [own, ...others] = versionsOf(platform).map(
    ({ version, sunset }) => `${version}${sunset === undefined ? '' : ` until ${sunset}`}`,
  );
  const besides = others.length === 0 ? '' : `, also ${others.join(', ')}`;
  const table = Object.hasOwn(VENDORS, name) ? pinnedTable(name) : undefined;
  const read =
    table === undefined
      ? `documents read on ${platform.api.readOn}`
      : `description ${table.version} of ${table.date}`;
  return `${name}: ${own}${besides}; ${read}`;
}

function main(): void {
  const platforms = INTERFACES.map(({ name, platform: { api } }) => ({ slug: name, api }));
  const drift = driftOf(platforms, new Date().toISOString().slice(0, 10));
  for (const { slug, kind, text } of drift)
    console.error(`${kind === 'ended' ? 'error' : 'warning'}: ${slug}: ${text}`);
  for (const one of INTERFACES) console.log(pinnedOf(one));
  console.log(`platforms: ${INTERFACES.length} looked at, ${drift.length} to look into`);
  process.exitCode = drift.some(({ kind }) => kind === 'ended') ? 1 : 0;
}

if (import.meta.main) main();
