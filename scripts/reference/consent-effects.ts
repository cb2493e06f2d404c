// What consent does at a platform, found by trying: the same event is put through the real verdicts and the real request
// builder under a statement of consent and under none, and the two requests are compared value by value.

import type { PlatformExample } from '#test/platforms/platform-example.ts';
import { SAMPLE_RAW, sampleEvent } from '#test/support/sample-event.ts';
import type { Consent, ConsentSignal, ConsentState } from '../../lib/events/domain/event/consent.ts';
import { CONSENT_SIGNALS } from '../../lib/events/domain/event/consent.ts';
import type { NormalizedEvent } from '../../lib/events/domain/event/normalized-event.ts';
import { BROWSER_ID_KEYS } from '../../lib/events/domain/identity/identity.ts';
import { decideVerdicts } from '../../lib/events/pipeline/verdicts.ts';
import type { Platform } from '../../lib/events/platforms/platform.ts';
import { difference, pathOf, requestFor, valuesOf } from './request-values.ts';

export const STATES = ['granted', 'denied', 'absent'] as const satisfies readonly (ConsentState | 'absent')[];
export type State = (typeof STATES)[number];
export type Statement = Readonly<Record<ConsentSignal, State>>;

export interface Effect {
  /** Null: it is sent. Otherwise the signal that keeps it here. */
  readonly withheldBy: string | null;
  /** Values of the request that come (`+ path: value`) or go (`- path`) against the same event without a statement. */
  readonly changes: readonly string[];
}

export const NOTHING_STATED: Statement = {
  ad_user_data: 'absent',
  ad_personalization: 'absent',
  ad_storage: 'absent',
  analytics: 'absent',
};

/** Every statement there is. */
export function everyStatement(): readonly Statement[] {
  return CONSENT_SIGNALS.reduce<readonly Statement[]>(
    (statements, signal) =>
      statements.flatMap((statement) => STATES.map((state) => ({ ...statement, [signal]: state }))),
    [NOTHING_STATED],
  );
}

export function effectOf(platform: Platform, example: PlatformExample, statement: Statement): Effect {
  const event = knownPerson(consentOf(statement));
  const withheldBy = withheld(platform, event);
  if (withheldBy !== null) return { withheldBy, changes: [] };
  const [before, after] = [knownPerson({}), event].map((one) =>
    valuesOf(requestFor(platform, example, one).body),
  ) as [readonly string[], readonly string[]];
  return { withheldBy, changes: compared(before, after) };
}

function consentOf(statement: Statement): Consent {
  return Object.fromEntries(Object.entries(statement).filter(([, state]) => state !== 'absent'));
}

const UUID = '6d92078a-8246-4ba4-ae5b-76104861e7dc';
/** Platforms that look at the form of an id. */
const FORMED_IDS = { rdt_uuid: `1795000000000.${UUID}`, msclkid: UUID, fbc: 'fb.1.1795000000000.abc' };

/** Everything that may be known about a person and a device is known. */
export function knownPerson(consent: Consent): NormalizedEvent {
  const ids = Object.fromEntries(BROWSER_ID_KEYS.map((key) => [key, `${key}-1`]));
  const userAgent = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/142.0 Mobile Safari';
  return sampleEvent({
    consent,
    raw: {
      ...SAMPLE_RAW,
      userAgent,
      madid: UUID,
      browserIds: { ...ids, ...FORMED_IDS },
    },
  });
}

/** By the verdict that decides over real events. Throws when something other than consent stands in the way. */
function withheld(platform: Platform, event: NormalizedEvent): string | null {
  const { plaintext: _opened, ...stored } = event;
  const routing = {
    merchantId: event.merchantId,
    version: 1,
    connections: [{ id: 'con_1', platform: platform.slug }],
    rules: [],
  };
  const verdict = decideVerdicts(stored, routing, [platform])[platform.slug];
  if (verdict?.code === 'pending') return null;
  if (verdict?.code === 'consent_denied' && verdict.detail !== undefined) return verdict.detail;
  throw new Error(`${platform.slug}: the sample event is ${JSON.stringify(verdict)}`);
}

function compared(before: readonly string[], after: readonly string[]): readonly string[] {
  const kept = new Set(after.map(pathOf));
  const { came, gone } = difference(before, after);
  const left = gone.map((entry) => `- ${kept.has(pathOf(entry)) ? entry : pathOf(entry)}`);
  return [...new Set([...came.map((entry) => `+ ${entry}`), ...left])].sort();
}
