// A page's state, kept in its URL: reload, back and a shared link show the same. Unknown values are kept, so that the
// API reports what is wrong with them.
import { useMemo } from 'react';
import { useLocation } from 'wouter';
// The raw search: the library's own one is already decoded once, and an id may have `&` or `%`.
import { useSearch } from 'wouter/use-browser-location';

export type UrlState = Readonly<Record<string, string>>;

/** Changes it: '' removes a value. `replace` adds no history entry. */
type Change = (changes: UrlState, replace?: boolean) => void;

/** What a part is given that shows the state and changes it. */
export interface UrlProps {
  readonly state: UrlState;
  readonly change: Change;
}

export function useUrlState(): readonly [UrlState, Change] {
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

/** Takes every value away. */
export const cleared = (state: UrlState): UrlState =>
  Object.fromEntries(Object.keys(state).map((name) => [name, '']));

export const withQuery = (path: string, values: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
};
