// A new plan: what to send once more, where to and how fast. First a dry run, whose counts are those the run will have; then
// the run, with the very same filter.

import { useState } from 'react';
import { Button } from '#dashboard/parts/button.tsx';
import { Choice, Field, Form, fieldsOf } from '#dashboard/parts/field.tsx';
import { Failure, Panel } from '#dashboard/parts/page.tsx';
import { isoOf } from '#dashboard/parts/written.tsx';
import { connectedIn, namedIn, usePlatforms } from '../platform-list.ts';
import { type ReplayBody, useReplay } from './steering.tsx';

const EMPTY = { start: '', end: '', event_name: '', platform: '', only: 'undelivered', rate: '50' };

function bodyOf(typed: typeof EMPTY, dry_run: boolean): ReplayBody {
  const { start, end, event_name, platform, only, rate } = typed;
  return {
    filter: { start: isoOf(start), end: isoOf(end), event_name: event_name.trim() || undefined },
    platforms: platform === '' ? undefined : [platform],
    only: only === 'all' ? 'all' : 'undelivered',
    rate: Number(rate),
    dry_run,
  };
}

export function PlanForm() {
  const [typed, setTyped] = useState(EMPTY);
  const platforms = usePlatforms();
  const create = useReplay();
  const bind = fieldsOf(typed, (name, text) => setTyped({ ...typed, [name]: text }));
  const send = (dryRun: boolean): void => create.send(bodyOf(typed, dryRun));
  return (
    <Panel title="New plan">
      <Form send={() => send(true)}>
        <div className="grid grid-cols-2 items-end gap-3 sm:grid-cols-3 lg:grid-cols-6">
          <Field label="Received from" type="datetime-local" {...bind('start')} />
          <Field label="Received before" type="datetime-local" {...bind('end')} />
          <Field label="Event name" maxLength={100} {...bind('event_name')} />
          <Choice
            label="Platform"
            options={[['', 'all connected'], ...namedIn(platforms.data, connectedIn(platforms.data))]}
            {...bind('platform')}
          />
          <Choice
            label="Which"
            options={[
              ['undelivered', 'not delivered'],
              ['all', 'all'],
            ]}
            {...bind('only')}
          />
          <Field label="A second, at most" type="number" min={1} required {...bind('rate')} />
        </div>
        <p className="mt-2 text-sm text-dim">
          Without a time: the last 30 days. Times are those of your clock.
        </p>
        <Failure error={create.error} />
        <div className="mt-4 flex flex-wrap gap-2">
          <Button type="submit" kind="primary" busy={create.isPending}>
            Dry run: count, send nothing
          </Button>
          <Button busy={create.isPending} onClick={() => send(false)}>
            Send once more
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
