// A server's purchase without click ids, completed from those that were seen with the same person before it: by a browser's
// cookies, an address, a customer or a number. Pure. Guarantees: nothing the event carries is changed; nothing but click ids is
// taken, and none that came after the purchase; Google's ids are of one click; the event names what it took (`fromEarlier`).
import type { UnopenedEvent } from '../../domain/event/normalized-event.ts';
import { isClickId } from '../../domain/identity/click-ids.ts';
import { BROWSER_ID_KEYS, type BrowserIdKey } from '../../domain/identity/identity.ts';
import { allowsJoining, keptClicks, type PersonClicks, type SeenClick } from '../../domain/people/clicks.ts';
import { isDenied } from '../attribution/clicks.ts';
import { GOOGLE_CLICKS } from '../completed-from-copy.ts';

const CLICK_IDS: readonly BrowserIdKey[] = BROWSER_ID_KEYS.filter(isClickId);

/** Whose earlier clicks are looked up. */
export const isJoinable = (event: UnopenedEvent): boolean =>
  event.name === 'Purchase' &&
  event.channel === 'server' &&
  event.bot !== true &&
  event.replay !== true &&
  !isDenied(event) &&
  allowsJoining(event.consent);

/** `people`: under each identifier of the event. */
export function joinedFromPerson(event: UnopenedEvent, people: readonly PersonClicks[]): UnopenedEvent {
  const orderedMs = event.eventTimeSec * 1_000;
  const seen = people.flatMap((person) => keptClicks(person, orderedMs));
  const newest = seen.toSorted((one, other) => other.atMs - one.atMs);
  const own = event.raw.browserIds ?? {};
  const taken = new Map<BrowserIdKey, string>();
  const has = (key: BrowserIdKey): boolean => own[key] !== undefined || taken.has(key);
  for (const { key, id } of newest) if (!isThere(key, has)) taken.set(key, id);
  if (taken.size === 0) return event;
  const fields = CLICK_IDS.filter((key) => taken.has(key));
  const raw = { ...event.raw, browserIds: { ...own, ...Object.fromEntries(taken) } };
  return { ...event, raw, fromEarlier: fields };
}

/** Google reads one of its ids: those of two clicks must not be mixed. */
const isThere = (key: SeenClick['key'], has: (key: BrowserIdKey) => boolean): boolean =>
  GOOGLE_CLICKS.includes(key) ? GOOGLE_CLICKS.some(has) : has(key);
