// Funnel: from the first page to the order, and where shoppers leave.
import { Link } from 'wouter';
import { useAsk } from '#dashboard/app/api.tsx';
import { Bar } from '#dashboard/parts/bar.tsx';
import { Empty, LoadedPanel, Page } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { count, percent } from '#dashboard/parts/written.tsx';
import { useRange } from '../ranges.tsx';

export default function FunnelPage() {
  const { input, picker } = useRange();
  const funnel = useAsk('getFunnel', input, { keep: true });
  return (
    <Page
      title="Funnel"
      about="From the first page to the order. Each event counts once; no crawlers, no replays."
      actions={picker}
    >
      <LoadedPanel title="Stages" query={funnel} rows={5}>
        {({ stages, start, end }) =>
          stages.every((stage) => stage.count === 0) ? (
            <Empty title="No event of the funnel came in this range" />
          ) : (
            <Table name="Each stage" head={['Stage', 'Events', 'Of the first stage', 'Left here']}>
              {stages.map(({ name, count: events, share_of_first, drop_off, drop_off_rate }) => (
                <Row key={name}>
                  <Cell className="font-bold">{name}</Cell>
                  <Cell>
                    <Link href={withQuery('/events', { event_name: name, start, end })}>{count(events)}</Link>
                  </Cell>
                  <Cell className="min-w-60">
                    <Bar share={share_of_first} />
                  </Cell>
                  <Cell className="whitespace-nowrap text-dim">
                    {drop_off === 0 ? '' : `▼ ${count(drop_off)} (${percent(drop_off_rate)})`}
                  </Cell>
                </Row>
              ))}
            </Table>
          )
        }
      </LoadedPanel>
    </Page>
  );
}
