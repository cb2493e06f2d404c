// One localStorage entry per merchant holds everything the pixel remembers, shared by all tabs of the shop.
// Guarantees: at most 40 kB (20,000 UTF-16 units; the oldest events go first), which is also few enough for one
// beacon; a broken entry is replaced, not obeyed; without storage the same state lives in memory with the page.
import type { Consent } from '../../../lib/domain/consent.ts';
import type { PixelEvent } from './event.ts';
import { now, settings } from './page.ts';

export interface State {
  /** Events without a final answer, oldest first. */
  q: PixelEvent[];
  /** Nothing is sent before this time (ms). */
  t: number;
  /** What the merchant's consent banner said. Absent: it has not spoken yet. */
  c?: Consent;
}

const key = `millrace:${settings.merchant}`;
let blocked = false;

export let state: State = { q: [], t: 0 };

/** Takes over what other tabs and earlier pages wrote. */
export function load(): void {
  // An hour less than the server's window for duplicates: beyond it, sending again could count twice.
  const oldestSec = now() / 1e3 - 82_800;
  try {
    if (!blocked) {
      const stored: State = JSON.parse(localStorage[key]);
      state = { ...stored, q: stored.q.filter((event) => event.event_time > oldestSec) };
    }
  } catch {
    // No storage, no entry or a broken one: the state in memory stands.
  }
}

export function save(): void {
  let json: string;
  do json = JSON.stringify(state);
  while (json.length > 2e4 && state.q.shift());
  try {
    localStorage[key] = json;
  } catch {
    // Full or forbidden. What is stored is older than what we hold, so it must not be read back.
    blocked = true;
  }
}
