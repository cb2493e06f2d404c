// Drafts by AI that a person does not want to see any more: his own look at them, kept in this browser. The note stays in the
// ticket, where the model has put it. Refuses nothing: where storage is blocked it holds until the page is left.
import { useApi } from '#dashboard/app/api.tsx';
import { ofShop } from '#dashboard/app/shop.ts';
import { readStored, writeStored } from '#dashboard/parts/stored.ts';
import { createStore, useStore } from '../store.ts';

const PREFIX = 'millrace.discarded.';
/** The newest: older tickets are closed long since. */
const KEPT_MAX = 200;

const discarded = createStore<Readonly<Record<string, readonly string[]>>>({});

function stored(key: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(readStored('localStorage', key) ?? '[]');
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Whether a run's draft was discarded, and how that is changed. */
export function useDiscarded() {
  const { session } = useApi();
  const key = ofShop(PREFIX + (session.person() ?? ''));
  const runs = useStore(discarded)[key] ?? stored(key);
  const set = (runId: string, isDiscarded: boolean): void => {
    const others = runs.filter((one) => one !== runId);
    const next = isDiscarded ? [runId, ...others].slice(0, KEPT_MAX) : others;
    discarded.set({ ...discarded.get(), [key]: next });
    writeStored('localStorage', key, JSON.stringify(next));
  };
  return { has: (runId: string): boolean => runs.includes(runId), set };
}
