// j and k go through the rows of a list, Enter opens the one that has the focus: that is a link's own.
import { useEffect, useState } from 'react';
import { isSingleKey } from '../../../app/single-keys.ts';

/** The row the keys are at; -1 before any was pressed. */
export function useRowKeys(rows: number, open: (row: number) => void): number {
  const [at, setAt] = useState(-1);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !isSingleKey(event)) return;
      if (event.key === 'j') setAt((row) => Math.min(rows - 1, row + 1));
      else if (event.key === 'k') setAt((row) => Math.max(0, row - 1));
      else if (event.key === 'Enter' && event.target === document.body && at >= 0) open(at);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [rows, open, at]);
  return at;
}
