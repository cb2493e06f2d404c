// The shop these pages are of, for a person who has several. Guarantees: a tab keeps its own, through reloads; a new tab begins with the
// one chosen last on this device; another person who signs in here begins without; nothing that is kept for one shop is shown in another one.
import { readStored, writeStored } from '../parts/stored.ts';

const KEY = 'millrace.shop';
const PLACES = ['sessionStorage', 'localStorage'] as const;

let current: string | null = null;

/** Null where none was chosen: the API then knows the only one, or asks. */
export const currentShop = (): string | null => current;

/** The key of what is kept for this shop. */
export const ofShop = (key: string): string => (current === null ? key : `${key}.${current}`);

export function openShop(person: string): void {
  const [mine, last] = PLACES.map((place) => chosenIn(place, person));
  current = mine ?? last ?? null;
  // Another choice in another tab, made before a reload of this one, is not this tab's.
  if (current !== null) keep('sessionStorage', person, current);
}

/** Shows the page anew, and of all that the pages hold nothing stays. What the URL asks for beside the page is of the other shop. */
export function switchShop(person: string, id: string, path: string): void {
  for (const place of PLACES) keep(place, person, id);
  location.assign(path);
}

/** The person signs out. */
export function forgetShop(): void {
  for (const place of PLACES) writeStored(place, KEY, null);
}

const keep = (place: (typeof PLACES)[number], by: string, id: string): void =>
  writeStored(place, KEY, JSON.stringify({ by, id }));

function chosenIn(place: (typeof PLACES)[number], person: string): string | undefined {
  try {
    const chosen = JSON.parse(readStored(place, KEY) ?? '{}') as {
      readonly by?: unknown;
      readonly id?: unknown;
    } | null;
    return chosen?.by === person && typeof chosen.id === 'string' ? chosen.id : undefined;
  } catch {
    return undefined;
  }
}
