// j and k go through the rows of a list, Enter opens the one that has the focus: that is a link's own. The row is remembered by
// its key: rows that come or go above it do not select another.
import { useEffect, useState } from 'react';
import { isSingleKey } from '#dashboard/app/single-keys.ts';

export interface Selection {
  /** The row the keys are at; null before any was pressed, and in another list. */
  readonly at: string | null;
  readonly select: (key: string | null) => void;
}

/** `of`: the list, such as its filters. */
export function useSelection(of: string): Selection {
  const [selected, setSelected] = useState<{ readonly of: string; readonly key: string | null }>();
  return {
    at: selected?.of === of ? selected.key : null,
    select: (key) => setSelected({ of, key }),
  };
}

export function useRowKeys(
  keys: readonly string[],
  { at, select }: Selection,
  open: (key: string) => void,
): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !isSingleKey(event)) return;
      const row = at === null ? -1 : keys.indexOf(at);
      const go = (to: number): void => select(keys[Math.max(0, Math.min(keys.length - 1, to))] ?? null);
      if (event.key === 'j') go(row + 1);
      else if (event.key === 'k') go(row - 1);
      else if (event.key === 'Enter' && event.target === document.body && at !== null && row >= 0) open(at);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [keys, open, at, select]);
}
