// Which version of a platform's API a connection's requests are for.

import { DAY_MS } from '#lib/core/work/time-slot.ts';
import type { Connection } from './connection.ts';

export interface ApiVersion {
  readonly version: string;
  /** YYYY-MM-DD on which the vendor stops serving it; absent where none is announced. */
  readonly sunset?: string;
}

/** A platform, as far as it matters here. */
export interface Versioned {
  readonly api: ApiVersion & {
    /** Others that requests can be made for: the previous one, or a newer one that is not read yet. */
    readonly others?: readonly ApiVersion[];
  };
}

/** The platform's own first. */
export function versionsOf({ api }: Versioned): readonly ApiVersion[] {
  const { version, sunset, others = [] } = api;
  return [{ version, ...(sunset === undefined ? {} : { sunset }) }, ...others];
}

/** The one the connection names; the platform's own where it names none, or one that requests are no longer made for. */
export function versionOf(platform: Versioned, connection?: Pick<Connection, 'apiVersion'>): ApiVersion {
  const [own, ...others] = versionsOf(platform);
  return others.find(({ version }) => version === connection?.apiVersion) ?? (own as ApiVersion);
}

/** Those a connection can be moved to. */
export const servedVersions = (platform: Versioned, nowMs: number): readonly ApiVersion[] =>
  versionsOf(platform).filter(
    ({ sunset }, at) => at === 0 || sunset === undefined || Date.parse(sunset) > nowMs,
  );

/** Long enough for a change that takes a release. */
const SOON_DAYS = 90;

/** What is to be done about a version that ends within 90 days; undefined where there is nothing. Half a sentence. */
export function endingOf({ version, sunset }: ApiVersion, nowMs: number): string | undefined {
  if (sunset === undefined) return undefined;
  const days = Math.ceil((Date.parse(sunset) - nowMs) / DAY_MS);
  if (days > SOON_DAYS) return undefined;
  return days <= 0
    ? `version ${version} ended on ${sunset}`
    : `version ${version} ends on ${sunset}, in ${days} days`;
}
