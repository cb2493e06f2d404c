// Filters of a list by time of receipt and what else it has, and the button that takes them all away.
import type { ReactNode } from 'react';
import { Button } from '#dashboard/parts/button.tsx';
import { Field } from '#dashboard/parts/field.tsx';
import { cleared, type UrlState } from '#dashboard/parts/url-state.ts';

export interface OneFilter {
  readonly name: string;
  readonly label: string;
  readonly state: UrlState;
  readonly set: (changes: UrlState) => void;
}

interface FormProps extends Pick<OneFilter, 'state' | 'set'> {
  readonly isFiltered: boolean;
  /** The filters before those by time. */
  readonly children?: ReactNode;
}

export function FilterForm({ state, set, isFiltered, children }: FormProps) {
  return (
    <form
      className="mb-6 grid grid-cols-2 items-end gap-3 sm:grid-cols-3 lg:grid-cols-6"
      aria-label="Filters"
      onSubmit={(event) => event.preventDefault()}
    >
      {children}
      <Moment name="start" label="Received from" state={state} set={set} />
      <Moment name="end" label="Received before" state={state} set={set} />
      {isFiltered && (
        <Button kind="quiet" onClick={() => set(cleared(state))}>
          Clear
        </Button>
      )}
    </form>
  );
}

/** In the reader's zone; the URL and the API have UTC. */
function Moment({ name, label, state, set }: OneFilter) {
  const given = Date.parse(state[name] ?? '');
  const shown = Number.isNaN(given)
    ? ''
    : new Date(given - new Date(given).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  return (
    <Field
      label={label}
      type="datetime-local"
      value={shown}
      change={(text) => {
        const at = Date.parse(text);
        if (text === '') set({ [name]: '' });
        else if (!Number.isNaN(at)) set({ [name]: new Date(at).toISOString() });
      }}
    />
  );
}
