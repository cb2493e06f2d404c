// What a preview or a test has to say beside its result: a code for programs, a sentence for people.

import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { endingOf, versionOf } from '#lib/events/domain/connections/api-version.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';

export interface Notice {
  readonly code: string;
  /** Dotted wire name of what it is about. */
  readonly field?: string | undefined;
  readonly message: string;
}

export const experimentalNotice = ({ label }: Platform): Notice => ({
  code: 'experimental',
  message: `${label} was built from its documents alone and never tried with a real account.`,
});

/** It is written down daily: what was not for so long is not said any more. */
const SAID_MAX_MS = 7 * DAY_MS;

/** Of the version that requests of the connection are for. */
export function versionNotices(
  platform: Platform,
  connection: Pick<Connection, 'apiVersion' | 'deprecation'> | undefined,
  nowMs: number,
): readonly Notice[] {
  const ending = endingOf(versionOf(platform, connection), nowMs);
  const said = connection?.deprecation;
  const [field, to] = ['api_version', 'Move the connection to another version.'] as const;
  return [
    ...(ending === undefined
      ? []
      : [{ code: 'api_version_ends', field, message: `The API of ${platform.label}: ${ending}. ${to}` }]),
    ...(said === undefined || nowMs - said.atMs > SAID_MAX_MS
      ? []
      : [{ code: 'api_deprecation', field, message: `${platform.label} answers: ${said.said}. ${to}` }]),
  ];
}

/** `then`: what follows from it. */
export const pausedNotice = ({ pausedReason }: Connection, then: string): Notice => ({
  code: 'connection_paused',
  message: `The connection is paused (${pausedReason ?? 'by hand'}): ${then}.`,
});

/** Without fields that are undefined; of several about the same only the first. */
export function distinct(notices: readonly Notice[]): { code: string; field?: string; message: string }[] {
  const seen = new Map<string, { code: string; field?: string; message: string }>();
  for (const { code, field, message } of notices) {
    const id = `${code}/${field ?? ''}`;
    if (!seen.has(id)) seen.set(id, { code, ...(field === undefined ? {} : { field }), message });
  }
  return [...seen.values()];
}
