// Texts that are being written, on this device until they are saved or sent: they outlive the tab, the browser and a crash.
// Guarantees: they are one person's, and gone when that person signs out, in whichever tab, or another one signs in here; none is
// older than seven days, and the oldest make room. Refuses nothing: where storage is blocked they hold until the page is left.

const PREFIX = 'millrace.';
const KINDS = ['draft.', 'typed.'].map((kind) => PREFIX + kind);
const KEPT_MS = 7 * 86_400_000;
const KEPT_MAX = 100;
const CHARS_MAX = 1_000_000;
/** Where tabs say that the person has signed out. */
const CHANNEL = 'millrace.session';

interface Kept {
  readonly by: string;
  readonly atMs: number;
  /** Null: it was saved or sent. */
  readonly value: unknown;
}

/** After signing out nothing is kept any more, whatever is still typed in a tab. */
let isOver = false;

/** The tab's own where there is no other. */
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

/** Null where there is none, or an old one. */
export function keptText(key: string): unknown {
  const kept = read(key);
  return kept === null || kept.atMs < Date.now() - KEPT_MS ? null : kept.value;
}

/** A value of null says to other tabs that it is over. */
export function keepText(key: string, by: string, value: unknown): void {
  if (isOver) return;
  const text = JSON.stringify({ by, atMs: Date.now(), value } satisfies Kept);
  try {
    storageOf().setItem(key, text);
  } catch {
    // It is full, or blocked: it holds until the page is left, unless what is old can go.
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

/** Another person's, what is over, what is old, and the oldest of what is too much. */
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

/** What a person who signs in finds here: nothing of anybody else. */
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
    // Nothing is kept where storage is blocked.
  }
}

/** What another tab wrote; signing out takes no text from a page. */
export function onTextElsewhere(listener: (key: string) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== null && newValue !== null && KINDS.some((kind) => key.startsWith(kind))) listener(key);
  });
}
