// What is being typed, kept until it is saved: a reload, or signing in again, brings it back. It is this tab's and this person's.
// Refuses nothing: where storage is blocked it holds until the page is left.
import { useState } from 'react';
import { useApi } from './api.tsx';

const PREFIX = 'millrace.typed.';

/** The value, a change of it, and whether it was brought back; null forgets it. */
export function useKept<T extends object>(
  name: string,
): readonly [T | null, (next: T | null) => void, boolean] {
  const { session } = useApi();
  const key = `${PREFIX}${session.person() ?? ''}.${name}`;
  const [found] = useState(() => stored<T>(key));
  const [value, setValue] = useState(found);
  const change = (next: T | null): void => {
    setValue(next);
    try {
      if (next === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(next));
    } catch {
      // It holds until the page is left.
    }
  };
  return [value, change, found !== null && value === found];
}

function stored<T>(key: string): T | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return typeof value === 'object' ? (value as T | null) : null;
  } catch {
    return null;
  }
}
