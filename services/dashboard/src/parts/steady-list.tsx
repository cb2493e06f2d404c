// A list that is asked for again and again, and holds still while it is used: no row moves under the pointer, the focus or the
// keys. Guarantees: while it is held, rows keep their places and show their newest state, also one that is no longer in the
// answer; what came on top is counted, and shown when it is asked for or when the list is let go. Another list, such as that
// of other filters, is shown at once.
import { type FocusEvent, useState } from 'react';
import { Button } from './button.tsx';
import { count } from './written.tsx';

export interface SteadyList<T> {
  readonly rows: readonly T[];
  /** Rows that are held back. */
  readonly held: number;
  /** Shows them. */
  readonly show: () => void;
  /** For the element around the rows and their button: on the way to it, the list is not let go. */
  readonly hold: {
    readonly onPointerEnter: () => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: () => void;
    readonly onBlur: (event: FocusEvent) => void;
  };
}

interface SteadyOptions<T> {
  /** Of the list: with another one, its rows are shown as they come. */
  readonly of: string;
  readonly keyOf: (row: T) => string;
  /** Held for a reason of the page's own, such as a selected row. */
  readonly isHeld?: boolean;
}

export function useSteadyList<T>(
  newest: readonly T[],
  { of, keyOf, isHeld = false }: SteadyOptions<T>,
): SteadyList<T> {
  const [isOver, setOver] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const [shown, setShown] = useState({ of, rows: newest });
  const isSteady = (isHeld || isOver || hasFocus) && shown.of === of;
  const { rows, held } = isSteady ? steadyRows(shown.rows, newest, keyOf) : { rows: newest, held: 0 };
  // While drawing: what is shown and what is known never differ by one drawing.
  if (shown.rows !== rows || shown.of !== of) setShown({ of, rows });
  return {
    rows,
    held,
    show: () => setShown({ of, rows: newest }),
    hold: {
      onPointerEnter: () => setOver(true),
      onPointerLeave: () => setOver(false),
      onFocus: () => setFocus(true),
      onBlur: ({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget)),
    },
  };
}

interface HeldRowsProps {
  readonly list: Pick<SteadyList<unknown>, 'held' | 'show'>;
  /** After they are shown: the button is gone, and the focus needs a place. */
  readonly then?: () => void;
}

/** Its place is always there: a button that appears pushes no row away. */
export function HeldRows({ list: { held, show }, then }: HeldRowsProps) {
  return (
    <div aria-live="polite" className="min-h-9">
      {held > 0 && (
        <Button
          kind="primary"
          onClick={() => {
            show();
            then?.();
          }}
        >
          {count(held)} new <span aria-hidden>↑</span>
        </Button>
      )}
    </div>
  );
}

interface SteadyRows<T> {
  readonly rows: readonly T[];
  readonly held: number;
}

/**
 * `shown` in their places, each as `newest` has it; a row it has no longer, as it was. What `newest` has behind its last known
 * row moves nothing, and follows. The same array where nothing changed.
 */
export function steadyRows<T>(
  shown: readonly T[],
  newest: readonly T[],
  keyOf: (row: T) => string,
): SteadyRows<T> {
  if (shown === newest) return { rows: shown, held: 0 };
  const byKey = new Map(newest.map((row) => [keyOf(row), row]));
  const known = new Set(shown.map(keyOf));
  const lastKnown = newest.findLastIndex((row) => known.has(keyOf(row)));
  const following = shown.length === 0 || lastKnown >= 0 ? newest.slice(lastKnown + 1) : [];
  const rows = [...shown.map((row) => byKey.get(keyOf(row)) ?? row), ...following];
  const held = newest.filter((row) => !known.has(keyOf(row))).length - following.length;
  const isSame = rows.length === shown.length && rows.every((row, at) => row === shown[at]);
  return { rows: isSame ? shown : rows, held };
}
