// What one connection asks of events itself: its own list of them, and its own consent.
import { useState } from 'react';
import { useChange } from '#dashboard/app/api.tsx';
import { FormDialog } from '#dashboard/parts/dialog.tsx';
import { Field } from '#dashboard/parts/field.tsx';
import { Ticks } from '#dashboard/parts/tick.tsx';
import type { Connection } from '../platform-list.ts';
import { SIGNALS } from '../words.ts';
import { listOf } from './own-rules-words.ts';

interface OwnRulesProps {
  readonly connection: Connection;
  readonly close: () => void;
}

const SIGNAL_OPTIONS = Object.entries(SIGNALS) as [keyof typeof SIGNALS, string][];

export default function OwnRulesDialog({ connection, close }: OwnRulesProps) {
  const { id, label, version, consent } = connection;
  const [events, setEvents] = useState((connection.events ?? []).join(', '));
  const [signals, setSignals] = useState<readonly (keyof typeof SIGNALS)[]>(consent?.require ?? []);
  const [countries, setCountries] = useState((consent?.countries ?? []).join(', '));
  const change = useChange(
    ({ client }) => {
      const [names, places] = [listOf(events), listOf(countries.toUpperCase())];
      const asked = { require: [...signals], ...(places.length === 0 ? {} : { countries: places }) };
      return client.updatePlatform({
        params: { id },
        headers: { 'if-match': `"${version}"` },
        body: {
          events: names.length === 0 ? null : names,
          consent: signals.length === 0 ? null : asked,
        },
      });
    },
    { refresh: ['listPlatforms'], done: close },
  );
  return (
    <FormDialog
      title={`What ${label} gets`}
      action="Save"
      close={close}
      busy={change.isPending}
      error={change.error}
      canLeave={!change.isPending}
      send={() => change.send()}
    >
      <Field
        label="Only these events"
        help="Names, with commas between. Empty: all that the platform takes."
        value={events}
        change={setEvents}
      />
      <fieldset className="mt-4">
        <legend className="mb-1 font-bold">Only with consent to</legend>
        <Ticks options={SIGNAL_OPTIONS} chosen={signals} choose={setSignals} />
      </fieldset>
      {signals.length > 0 && (
        <Field
          label="Of people in"
          help="Codes of countries, such as DE, FR, with commas between. Empty: everywhere. People whose country is not known are asked as well."
          value={countries}
          change={setCountries}
        />
      )}
      <p className="mt-3 text-sm text-dim">
        It holds from the next event on, and only keeps more back than the platform and your rules do. What
        waits is held against the consent as well.
      </p>
    </FormDialog>
  );
}
