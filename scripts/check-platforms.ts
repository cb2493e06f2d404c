// Says which platforms' API versions end soon, have ended, or were read so long ago that nobody knows. A version that
// ends within a quarter, or was read more than a year ago, is a warning; one that has ended fails the check.
import { DAY_MS } from '../lib/core/work/time-slot.ts';
import { interfacesOf, type Platform } from '../lib/events/platforms/platform.ts';
import { PLATFORMS } from '../lib/events/platforms/registry.ts';

const SUNSET_SOON_DAYS = 90;
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

function sunsetDrift({ slug, api }: Dated, today: string): readonly Drift[] {
  if (api.sunset === undefined) return [];
  const left = days(today, api.sunset);
  if (left <= 0) return [{ slug, kind: 'ended', text: `version ${api.version} ended on ${api.sunset}` }];
  if (left > SUNSET_SOON_DAYS) return [];
  return [{ slug, kind: 'ends_soon', text: `version ${api.version} ends on ${api.sunset}, in ${left} days` }];
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

function main(): void {
  const drift = driftOf(PLATFORMS.flatMap(interfacesOf), new Date().toISOString().slice(0, 10));
  for (const { slug, kind, text } of drift)
    console.error(`${kind === 'ended' ? 'error' : 'warning'}: ${slug}: ${text}`);
  console.log(`platforms: ${PLATFORMS.length} looked at, ${drift.length} to look into`);
  process.exitCode = drift.some(({ kind }) => kind === 'ended') ? 1 : 0;
}

if (import.meta.main) main();
