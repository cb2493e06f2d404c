// Which events share a request. A platform that throws for one of them does not keep the others from theirs.
import { PlatformDefect } from '#lib/events/domain/connections/platform-defect.ts';
import { batchId } from '#lib/events/domain/deliveries/batch.ts';
import { rowId } from '#lib/events/pipeline/read-rows.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { ANSWER_DEFECT } from './call-platform.ts';
import type { Candidate } from './candidates.ts';

export interface Requests {
  /** Of one group each, none larger than the platform takes. */
  readonly requests: readonly (readonly Candidate[])[];
  readonly defective: readonly Candidate[];
  /** Why the first of them is. */
  readonly defect?: PlatformDefect;
}

export function toRequests(
  candidates: readonly Candidate[],
  platform: Platform,
  credentials: unknown,
): Requests {
  const groups = new Map<string, Candidate[]>();
  const alone: Candidate[][] = [];
  const defective: Candidate[] = [];
  let defect: PlatformDefect | undefined;
  for (const candidate of candidates) {
    if (mustGoAlone(candidate)) {
      alone.push([candidate]);
      continue;
    }
    try {
      const shared = platform.groupKey?.(candidate.event, credentials) ?? '';
      const key = platform.keepsBatches === true ? `${batchOf(candidate)} ${shared}` : shared;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [candidate]);
      else group.push(candidate);
    } catch (error) {
      defective.push(candidate);
      defect ??= new PlatformDefect(platform.slug, 'groupKey', error);
    }
  }
  const requests: Candidate[][] = [...alone];
  for (const group of groups.values())
    for (let at = 0; at < group.length; at += platform.limits.batchSizeMax)
      requests.push(group.slice(at, at + platform.limits.batchSizeMax));
  return { requests, defective, ...(defect === undefined ? {} : { defect }) };
}

/** The batch in which its row is written; without one it stands alone. */
function batchOf({ row: { key, place } }: Candidate): string {
  return place === undefined ? rowId(key) : batchId(place.batch);
}

/** The platform's code threw at its last answer: if that is its own doing, no other event shall share the next one. */
function mustGoAlone({ delivery }: Candidate): boolean {
  return delivery?.history.at(-1)?.code === ANSWER_DEFECT;
}
