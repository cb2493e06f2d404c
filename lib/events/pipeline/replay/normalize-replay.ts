// What normalizing makes of the row of a replay. Pure. Apart from the row, which is made where nothing is normalized.
import type { RoutingSnapshot } from '../../domain/connections/connection.ts';
import { PENDING } from '../../domain/deliveries/progress.ts';
import type { PersonalPart } from '../../domain/event/normalized-event.ts';
import type { AcceptedRow, ReplayOrigin } from '../../domain/event/row.ts';
import type { Platform } from '../../platforms/platform.ts';
import { type NormalizeDecision, normalizeAgain } from '../normalize-event.ts';
import { replayedEvent } from './replay-row.ts';

/** `personal` null: it was erased while the replay was on its way, and no platform gets it. */
export function normalizeReplay(
  row: AcceptedRow & { readonly replayOf: ReplayOrigin },
  personal: PersonalPart | null,
  routing: RoutingSnapshot,
  platforms: readonly Platform[],
  allowedParameters?: readonly string[],
): NormalizeDecision {
  const { sealed: _s, known: _k, ...clear } = row.replayOf.event;
  const event = { ...clear, ...(personal ?? { hashed: {}, raw: {}, plaintext: {} }) };
  const decided = normalizeAgain(replayedEvent(event, row), routing, platforms, allowedParameters);
  if (personal !== null) return decided;
  const words = Object.entries(decided.verdicts).map(([slug, word]) => [
    slug,
    word === PENDING ? ERASED : word,
  ]);
  return { ...decided, verdicts: Object.fromEntries(words) };
}

const ERASED = 'invalid:personal_data_erased';
