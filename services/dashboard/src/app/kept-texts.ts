// Unsaved texts, stored on this device until they are saved or sent: they survive the tab, the browser and a crash.
// Guarantees: they belong to one person, and are deleted when that person signs out in any tab, or another person signs
// in here; none is older than seven days, and the oldest are deleted when space is short. Refuses nothing: if storage
// is blocked they last until the page is left.

const PREFIX = 'millrace.';
const KINDS = ['draft.', 'typed.'].map((kind) => PREFIX + kind);
const KEPT_MS = 7 * 86_400_000;
const KEPT_MAX = 100;
const CHARS_MAX = 1_000_000;
/** The channel on which tabs announce a sign-out. */
const CHANNEL = 'millrace.session';

interface Kept {
  readonly by: string;
  readonly atMs: number;
  /** Null: it was saved or sent. */
  readonly value: unknown;
}

/** After signing out nothing is stored any more, even if a tab still has typed text. */
let isOver = false;

/** Falls back to the tab's own storage. */
function storageOf(): Storage {
  try {
    return localStorage;
  } catch {
    return sessionStorage;
  }
}

function read(key: string): Kept | null {
  try {
    const kept = JSON.parse(storageOf().getItem(key) ?? 'null') as Partial<Kept> | null;
    if (typeof kept?.atMs !== 'number' || typeof kept.by !== 'string') return null;
    return { by: kept.by, atMs: kept.atMs, value: kept.value ?? null };
  } catch {
    return null;
  }
}

/** Null if there is none, or it is too old. */
export function keptText(key: string): unknown {
  const kept = read(key);
  return kept === null || kept.atMs < Date.now() - KEPT_MS ? null : kept.value;
}

/** A value of null makes other tabs drop the text. */
export function keepText(key: string, by: string, value: unknown): void {
  if (isOver) return;
  const text = JSON.stringify({ by, atMs: Date.now(), value } satisfies Kept);
  try {
    storageOf().setItem(key, text);
  } catch {
    // Storage is full, or blocked: without old texts to delete, the text lasts until the page is left.
    dropOld(by);
    try {
      storageOf().setItem(key, text);
    } catch {
      return;
    }
  }
}

const keysOf = (storage: Storage): readonly string[] =>
  Object.keys(storage).filter((key) => KINDS.some((kind) => key.startsWith(kind)));

/** Texts of another person, finished, old, and the oldest beyond the maximum. */
function dropOld(person: string): void {
  try {
    const storage = storageOf();
    const found = keysOf(storage).map((key) => ({ key, kept: read(key) }));
    const newest = found.toSorted((a, b) => (b.kept?.atMs ?? 0) - (a.kept?.atMs ?? 0));
    let chars = 0;
    let count = 0;
    for (const { key, kept } of newest) {
      const isLive =
        kept !== null && kept.by === person && kept.value !== null && kept.atMs >= Date.now() - KEPT_MS;
      if (isLive) {
        count += 1;
        chars += storage.getItem(key)?.length ?? 0;
      }
      if (!isLive || count > KEPT_MAX || chars > CHARS_MAX) storage.removeItem(key);
    }
  } catch {
    // There is no storage to clear.
  }
}

/** Keeps only the texts of the person who signs in. */
export function openTexts(person: string): void {
  isOver = false;
  dropOld(person);
  new BroadcastChannel(CHANNEL).addEventListener('message', forgetTexts);
}

/** The person signs out. */
export function forgetTexts(): void {
  isOver = true;
  try {
    for (const key of keysOf(storageOf())) storageOf().removeItem(key);
  } catch {
    // If storage is blocked, nothing is stored.
  }
}

/** Follows writes of another tab; signing out does not clear a text on a page. */
export function onTextElsewhere(listener: (key: string) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== null && newValue !== null && KINDS.some((kind) => key.startsWith(kind))) listener(key);
  });
}
