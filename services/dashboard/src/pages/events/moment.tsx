// A filter by time: a field that shows the reader's clock.
import { Field } from '#dashboard/parts/field.tsx';
import type { UrlState } from '#dashboard/parts/url-state.ts';

export interface OneFilter {
  readonly name: string;
  readonly label: string;
  readonly state: UrlState;
  readonly set: (changes: UrlState) => void;
}

/** In the reader's zone; the URL and the API have UTC. */
export function Moment({ name, label, state, set }: OneFilter) {
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
