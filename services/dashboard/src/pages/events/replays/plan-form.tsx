// A new plan: what to send once more, where to and how fast. First a dry run, whose counts are those the run will have; then
// the run, with the very same filter.
import { type FormEvent, useState } from 'react';
import { type Client, useKeyedChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Choice, Field } from '#dashboard/parts/field.tsx';
import { Panel } from '#dashboard/parts/page.tsx';
import { Failure } from '#dashboard/parts/states.tsx';
import { labelOf, usePlatforms } from '../platform-list.ts';

type Body = Parameters<Client['createReplay']>[0]['body'];

const RATE_DEFAULT = '50';

interface Typed {
  readonly start: string;
  readonly end: string;
  readonly event_name: string;
  readonly platform: string;
  readonly only: 'undelivered' | 'all';
  readonly rate: string;
}

const EMPTY: Typed = {
  start: '',
  end: '',
  event_name: '',
  platform: '',
  only: 'undelivered',
  rate: RATE_DEFAULT,
};

const isoOf = (local: string): string => new Date(local).toISOString();

function bodyOf(typed: Typed, dry_run: boolean): Body {
  const { start, end, event_name, platform, only, rate } = typed;
  return {
    filter: {
      ...(start === '' ? {} : { start: isoOf(start) }),
      ...(end === '' ? {} : { end: isoOf(end) }),
      ...(event_name.trim() === '' ? {} : { event_name: event_name.trim() }),
    },
    ...(platform === '' ? {} : { platforms: [platform] }),
    only,
    rate: Number(rate),
    dry_run,
  };
}

export function PlanForm({ made }: { readonly made: () => void }) {
  const [typed, setTyped] = useState<Typed>(EMPTY);
  const platforms = usePlatforms();
  const create = useKeyedChange((client, body: Body, key) =>
    client.createReplay({ body, headers: { 'idempotency-key': key } }),
  );
  const set = (changes: Partial<Typed>): void => setTyped({ ...typed, ...changes });
  const send = (dryRun: boolean): void => create.send(bodyOf(typed, dryRun), made);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send(true);
  };
  const connected = [...new Set(platforms.data?.platforms.map(({ platform }) => platform))];
  return (
    <Panel title="New plan">
      <form onSubmit={submit}>
        <div className="grid grid-cols-2 items-end gap-3 sm:grid-cols-3 lg:grid-cols-6">
          <Field
            label="Received from"
            type="datetime-local"
            value={typed.start}
            onChange={({ target }) => set({ start: target.value })}
          />
          <Field
            label="Received before"
            type="datetime-local"
            value={typed.end}
            onChange={({ target }) => set({ end: target.value })}
          />
          <Field
            label="Event name"
            maxLength={100}
            value={typed.event_name}
            onChange={({ target }) => set({ event_name: target.value })}
          />
          <Choice
            label="Platform"
            value={typed.platform}
            options={[
              ['', 'all connected'],
              ...connected.map((slug) => [slug, labelOf(platforms.data, slug)] as const),
            ]}
            change={(platform) => set({ platform })}
          />
          <Choice
            label="Which"
            value={typed.only}
            options={[
              ['undelivered', 'not delivered'],
              ['all', 'all'],
            ]}
            change={(only) => set({ only: only === 'all' ? 'all' : 'undelivered' })}
          />
          <Field
            label="A second, at most"
            type="number"
            min={1}
            required
            value={typed.rate}
            onChange={({ target }) => set({ rate: target.value })}
          />
        </div>
        <p className="mt-2 text-sm text-dim">
          Without a time: the last 30 days. Times are those of your clock.
        </p>
        {create.error && <Failure error={create.error} />}
        <div className="mt-4 flex flex-wrap gap-2">
          <Button type="submit" kind="primary" busy={create.isPending}>
            Dry run: count, send nothing
          </Button>
          <Button busy={create.isPending} onClick={() => send(false)}>
            Send once more
          </Button>
        </div>
      </form>
    </Panel>
  );
}
