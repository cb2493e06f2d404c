// How much came, by the hour or the day, as columns or as a table.
import { useState } from 'react';
import { type Answer, useAsk } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { type Column, Columns } from '#dashboard/parts/charts/columns.tsx';
import { Loaded, Panel } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { count, wallText } from '#dashboard/parts/written.tsx';
import { usePlatforms } from '../platform-list.ts';
import type { Range } from '../ranges.tsx';
import { bandsOf, Outages, outagesOf, within } from './outages.tsx';

type VolumeAnswer = Answer<'getVolume'>;

export function Volume({ range, everyMs }: { readonly range: Range; readonly everyMs: number }) {
  const [asTable, setAsTable] = useState(false);
  const volume = useAsk('getVolume', { query: { range } }, { keep: true, everyMs });
  const outages = outagesOf(usePlatforms().data?.platforms ?? []);
  const per = volume.data?.interval ?? 'hour';
  return (
    <Panel
      title={per === 'hour' ? 'Per hour' : 'Per day'}
      actions={
        <Button kind="quiet" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'As columns' : 'As a table'}
        </Button>
      }
    >
      <Loaded query={volume} rows={5}>
        {(data) =>
          asTable ? (
            <VolumeTable data={data} />
          ) : (
            <Columns about={pointOf(data)} columns={columnsOf(data)} bands={bandsOf(outages, data)} />
          )
        }
      </Loaded>
      <Outages outages={volume.data === undefined ? [] : within(outages, volume.data)} />
    </Panel>
  );
}

type Named = Pick<VolumeAnswer, 'interval' | 'time_zone'>;

/** By the clocks of the zone whose days they are. */
function nameOf(start: string, { interval, time_zone }: Named): string {
  const wall = wallText(start, time_zone);
  return interval === 'hour' ? wall.slice(11, 16) : wall.slice(5, 10);
}

function pointOf({ total, points, interval, time_zone }: VolumeAnswer): string {
  const most = points.reduce(
    (best, point) => (point.events > best.events ? point : best),
    points[0] ?? { events: 0, start: '' },
  );
  if (total === 0) return 'No event came in this range.';
  return `${count(total)} events; most of them at ${nameOf(most.start, { interval, time_zone })}, ${time_zone}: ${count(most.events)}. The hatched ${interval} has not ended.`;
}

function columnsOf({ points, interval, time_zone, end }: VolumeAnswer): readonly Column[] {
  return points.map(({ start, events, delivered, undelivered }, index) => {
    const until = points[index + 1]?.start ?? end;
    const name = nameOf(start, { interval, time_zone });
    return {
      label: name,
      said: `${name}, ${time_zone}: ${count(events)} events, ${count(delivered)} deliveries, ${count(undelivered)} failed`,
      value: events,
      to: withQuery('/events', { start, end: until }),
      isOpen: index === points.length - 1,
    };
  });
}

function VolumeTable({ data }: { readonly data: VolumeAnswer }) {
  return (
    <Table name="Volume" head={[`From (${data.time_zone})`, 'Events', 'Bots', 'Deliveries', 'Not delivered']}>
      {data.points.toReversed().map((point) => (
        <Row key={point.start}>
          <Cell>{wallText(point.start, data.time_zone).slice(0, 16)}</Cell>
          <Cell>{count(point.events)}</Cell>
          <Cell>{count(point.bots)}</Cell>
          <Cell>{count(point.delivered)}</Cell>
          <Cell>{count(point.undelivered)}</Cell>
        </Row>
      ))}
    </Table>
  );
}
