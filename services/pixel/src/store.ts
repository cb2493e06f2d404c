// What must outlive the page, in localStorage: one entry per unsent event, one for the consent, one for the pause.
// Guarantees: an event has its own entry, so tabs never overwrite each other's; all events together stay below
// 20,000 characters (40 kB; the oldest go first), few enough for one beacon; without storage, or with a full one,
// the same entries live in memory with the page.
import { now, settings } from './page.ts';

const prefix = `millrace:${settings.merchant}:`;

export const CONSENT = `${prefix}c`;
export const PAUSE = `${prefix}p`;

export let store: Record<string, string | number> = {};
try {
  store = localStorage;
} catch {
  // Forbidden.
}

export function put(key: string, value: string | number): void {
  try {
    store[key] = value;
  } catch {
    store = { ...store, [key]: value };
  }
}

/** Keys of the unsent events, oldest first. Beyond 23 of the server's 24 hours an event could count twice: forgotten. */
export const unsent = () =>
  Object.keys(store)
    .filter((key) => key.startsWith(`${prefix}1`) && (key > prefix + (now() - 828e5) || !delete store[key]))
    .sort();

export const bodiesOf = (keys: string[]) => `${keys.map((key) => store[key])}`;

export function keep(json: string): void {
  if (json.length < 15e3) put(prefix + now() + Math.random(), json);
  while (bodiesOf(unsent()).length > 2e4) delete store[unsent()[0] as string];
}
