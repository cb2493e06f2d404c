// What a comparison found, platform by platform: a bar for what is as it should be, and a number with its orders for all else.
import { Link } from 'wouter';
import { Bar, Progress } from '#dashboard/parts/bar.tsx';
import { Panel } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { count, counted, Time } from '#dashboard/parts/written.tsx';
import { labelOf, usePlatforms } from '../platform-list.ts';
import { Orders } from './orders.tsx';
import { ReplayMissing } from './replay-missing.tsx';
import { LOOKS, problemsOf, type Reconciliation, STANDINGS } from './standings.ts';

interface ResultProps {
  readonly reconciliation: Reconciliation;
}

export function Result({ reconciliation }: ResultProps) {
  const { status, upload, covers, progress, unlisted } = reconciliation;
  const isDone = status === 'done';
  return (
    <>
      <Panel title={isDone ? titleOf(reconciliation) : 'Comparing…'}>
        <p className="mb-3 text-dim">
          {counted(upload.orders, 'order')}
          {upload.repeated > 0 && <> ({count(upload.repeated)} rows said one again)</>}, with{' '}
          {count(progress.events)} events received from <Time at={covers.start} /> to <Time at={covers.end} />
          {progress.unreadable > 0 && <>, {count(progress.unreadable)} of them unreadable</>}.{' '}
          {upload.with_value < upload.orders && (
            <>{count(upload.orders - upload.with_value)} had no value to compare. </>
          )}
          {unlisted !== null && unlisted > 0 && (
            <strong className="text-wait">
              ▲ {count(unlisted)} purchases in this time are of orders that were not uploaded.
            </strong>
          )}
        </p>
        {isDone ? <Figures reconciliation={reconciliation} /> : <GoesOn share={progress.share} />}
      </Panel>
      {isDone && <ReplayMissing reconciliation={reconciliation} />}
      {isDone && <Orders reconciliation={reconciliation} />}
    </>
  );
}

function titleOf({ platforms }: Reconciliation): string {
  const worst = Object.values(platforms).filter((figures) => problemsOf(figures) > 0).length;
  const all = Object.keys(platforms).length;
  if (all === 0) return 'No platform was compared';
  return worst === 0
    ? '✔ Every platform has every order as it should be'
    : `✖ ${count(worst)} of ${count(all)} platforms differ from your orders`;
}

function GoesOn({ share }: { readonly share: number }) {
  return (
    <>
      <Progress label="Compared" share={share} />
      <p className="mt-2 text-sm text-dim">
        It begins some seconds after it was asked for. You may leave this page: it goes on.
      </p>
    </>
  );
}

function Figures({ reconciliation: { id, platforms, upload } }: ResultProps) {
  const { data } = usePlatforms();
  const entries = Object.entries(platforms).toSorted(([, a], [, b]) => problemsOf(b) - problemsOf(a));
  const shown = STANDINGS.filter(
    (standing) =>
      standing !== 'matched' &&
      (standing === 'missing' || entries.some(([, figures]) => (figures?.[standing] ?? 0) > 0)),
  );
  return (
    <Table
      name="Orders by platform"
      head={[
        'Platform',
        LOOKS.matched.name,
        ...shown.map((standing) => (
          <span key={standing} title={LOOKS[standing].means}>
            {LOOKS[standing].name}
          </span>
        )),
      ]}
    >
      {entries.map(([slug, figures]) => (
        <Row key={slug}>
          <Cell className="font-bold">{labelOf(data, slug)}</Cell>
          <Cell className="min-w-40">
            <Bar share={(figures?.matched ?? 0) / upload.orders} />
          </Cell>
          {shown.map((status) => {
            const value = figures?.[status] ?? 0;
            const { sign, look, name } = LOOKS[status];
            return (
              <Cell key={status} className="whitespace-nowrap">
                {value === 0 ? (
                  <span className="text-dim">0</span>
                ) : (
                  <Link
                    href={withQuery('/reconcile', { id, platform: slug, status })}
                    aria-label={`${labelOf(data, slug)}: ${count(value)} ${name.toLowerCase()}`}
                    className={`font-bold ${look}`}
                  >
                    <span aria-hidden>{sign}</span> {count(value)}
                  </Link>
                )}
              </Cell>
            );
          })}
        </Row>
      ))}
    </Table>
  );
}
