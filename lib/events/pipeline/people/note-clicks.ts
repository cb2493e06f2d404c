// Notes under an identifier of a person with which click ids it was seen, and the first click, in one write. Guarantees: of an id
// that is known already nothing is written; a failure is thrown, and the event is tried again.
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import type { Touch } from '../../domain/analytics/attribution.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import {
  firstSeen,
  isKnown,
  isTooSoon,
  NO_CLICKS,
  type PersonClicks,
  type SeenClick,
  withClicks,
} from '../../domain/people/clicks.ts';
import { isWithFew, readRecent } from '../../domain/people/recent-clicks.ts';
import type { AttributionStore, StoredPerson } from '../../ports/attribution-store.ts';
import type { EventVault } from '../../ports/event-vault.ts';
import { recentIn } from '../attribution/clicks.ts';
import { isKept, recentWrite } from './note-order.ts';
import { openClicks, openedOr, sealClicks } from './sealed-person.ts';

export interface ClickPorts {
  readonly attribution: Pick<AttributionStore, 'people' | 'addTouch' | 'writeClicks'>;
  readonly eventVault: Pick<EventVault, 'sealText' | 'openText'>;
  readonly platforms: Parameters<typeof recentIn>[1];
  readonly report: (problem: string, error: unknown) => void;
}

export interface NotedClicks {
  readonly click: Touch;
  /** Empty where they may not be kept. */
  readonly carried: readonly SeenClick[];
  readonly keptDays: number;
}

export const openedClicks = async (
  merchantId: string,
  key: string,
  person: Pick<StoredPerson, 'clicks'>,
  { eventVault, report }: Pick<ClickPorts, 'report'> & { readonly eventVault: Pick<EventVault, 'openText'> },
): Promise<PersonClicks> =>
  await openedOr(openClicks(merchantId, key, person, eventVault), NO_CLICKS, (error) =>
    report('click ids of a person could not be read, and are not used', error),
  );

/** False where an id is new so soon after several others that it is left out: the next event may bring it again. */
export async function noteClicks(
  key: string,
  read: StoredPerson | undefined,
  { merchantId, receivedAtMs }: Pick<NormalizedEvent, 'merchantId' | 'receivedAtMs'>,
  { click, carried, keptDays }: NotedClicks,
  ports: ClickPorts,
): Promise<boolean> {
  const { attribution, eventVault } = ports;
  let person = read;
  return await retryConflicts({ what: 'the clicks of a person' }, async () => {
    const touch = isKept(person, click) ? undefined : click;
    const seen = person?.clicks;
    const known =
      carried.length === 0 || seen === undefined
        ? NO_CLICKS
        : await openedClicks(merchantId, key, { clicks: seen }, ports);
    const came = recentIn(firstSeen(carried, known), ports.platforms);
    const write = recentWrite(person, came);
    const mayWait = write?.next === person?.recent || !isWithFew(readRecent(person?.recent), came);
    const writtenAtMs = mayWait ? seen?.writtenAtMs : undefined;
    const after = withClicks(known, carried, { receivedAtMs, writtenAtMs, keptDays });
    const recent = isTooSoon(receivedAtMs, writtenAtMs) ? undefined : write;
    if (after === known && recent === undefined) {
      if (touch !== undefined) await attribution.addTouch(merchantId, key, touch, receivedAtMs);
      return carried.every((one) => isKnown(known, one));
    }
    const clicks = await sealClicks(
      merchantId,
      key,
      { clicks: after, writtenAtMs: receivedAtMs },
      eventVault,
    );
    const how = { seen, touch, recent, nowMs: receivedAtMs };
    if (await attribution.writeClicks(merchantId, key, clicks, how)) return true;
    const before = person;
    person = (await attribution.people(merchantId, [key], 'strong')).get(key);
    // Refused, and nothing is there: it cannot be read, which the store has reported, and is left as it is.
    return before === undefined && person === undefined ? true : CONFLICT;
  });
}
