// Texts that this browser keeps for a page. Refuses nothing: where storage is blocked they last until the page is left.

type Place = 'localStorage' | 'sessionStorage';

export function readStored(place: Place, key: string): string | null {
  try {
    return globalThis[place].getItem(key);
  } catch {
    return null;
  }
}

/** Null takes it away. */
export function writeStored(place: Place, key: string, text: string | null): void {
  try {
    if (text === null) globalThis[place].removeItem(key);
    else globalThis[place].setItem(key, text);
  } catch {
    // There is no storage.
  }
}
