// What a page shows, kept in its URL: reload, back and a shared link give the same. Values nobody knows are kept, so that the
// API says what is wrong with them.
import { useMemo } from 'react';
import { useLocation } from 'wouter';
// The search as it is: the other one of this name is decoded once already, and an id may hold `&` or `%`.
import { useSearch } from 'wouter/use-browser-location';

export type UrlState = Readonly<Record<string, string>>;

/** The state, and a change of it: '' takes a value away, and a name without a value is none. `replace` leaves no step for Back. */
export function useUrlState(): readonly [UrlState, (changes: UrlState, replace?: boolean) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const state = useMemo(
    () => Object.fromEntries([...new URLSearchParams(search)].filter(([, value]) => value !== '')),
    [search],
  );
  const change = (changes: UrlState, replace = false): void => {
    const next = Object.entries({ ...state, ...changes }).filter(([, value]) => value !== '');
    const query = new URLSearchParams(next).toString();
    navigate(query === '' ? path : `${path}?${query}`, { replace });
  };
  return [state, change];
}

export const withQuery = (path: string, values: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
};
