// What a tab keeps for its own sign-in: the refresh token and a sign-in that was begun, in sessionStorage.
// Guarantees: two tabs never use one refresh token, which the issuer would take for a theft: a tab that was duplicated finds
// the lock of its copy taken, and forgets what it was given. Refuses nothing: where storage is blocked it keeps things in memory.

const PREFIX = 'millrace.';
/** A page that is being left holds its lock for a moment longer. */
const CLAIM_MS = 400;

export interface TabStore {
  /** False: nothing survives a redirect. */
  readonly isDurable: boolean;
  read(name: string): string | null;
  /** Null takes it away. */
  write(name: string, value: string | null): void;
}

export function openTabStore(storage: () => Storage): TabStore {
  const memory = new Map<string, string>();
  let durable: Storage | undefined;
  try {
    durable = storage();
    durable.setItem(`${PREFIX}probe`, '1');
    durable.removeItem(`${PREFIX}probe`);
  } catch {
    durable = undefined;
  }
  return {
    isDurable: durable !== undefined,
    read: (name) => (durable ? durable.getItem(PREFIX + name) : (memory.get(name) ?? null)),
    write(name, value) {
      if (value === null) {
        durable?.removeItem(PREFIX + name);
        memory.delete(name);
      } else if (durable) durable.setItem(PREFIX + name, value);
      else memory.set(name, value);
    },
  };
}

/** Makes this tab the only one of its name; a copy gets another name and loses the refresh token. */
export async function claimTab(store: TabStore): Promise<void> {
  const known = store.read('tab');
  if (known !== null && (await hold(known))) return;
  if (known !== null) store.write('refresh', null);
  const name = crypto.randomUUID();
  store.write('tab', name);
  await hold(name);
}

/** Resolves once the lock is held, for as long as the page lives; false where another page has it. */
function hold(name: string): Promise<boolean> {
  if (!('locks' in navigator)) return Promise.resolve(true);
  return new Promise((done) => {
    const never = new Promise<never>(() => undefined);
    const granted = (): Promise<never> => {
      done(true);
      return never;
    };
    navigator.locks
      .request(`${PREFIX}tab.${name}`, { signal: AbortSignal.timeout(CLAIM_MS) }, granted)
      .catch(() => done(false));
  });
}
