// Reconcile: whether the platforms have each of the shop's orders once and with the right amount. A comparison is
// stored in the service: a reload, or another person, sees the same one.
import { Link } from 'wouter';
import { useRefusal } from '#dashboard/app/account.ts';
import { useAsk } from '#dashboard/app/api.tsx';
import { useLive } from '#dashboard/app/polling.ts';
import { LinkButton } from '#dashboard/parts/button.tsx';
import { Empty, Loaded, LoadedPanel, Notice, Page } from '#dashboard/parts/page.tsx';
import { Cell, Pager, Row, Table } from '#dashboard/parts/table.tsx';
import { useUrlState, withQuery } from '#dashboard/parts/url-state.ts';
import { count, Time } from '#dashboard/parts/written.tsx';
import { Result } from './result.tsx';
import { problemsOf, type Reconciliation } from './standings.ts';
import { UploadForm } from './upload-form.tsx';

export default function ReconcilePage() {
  const [{ id }, change] = useUrlState();
  const refusal = useRefusal('createReconciliation');
  return (
    <Page
      title="Reconcile"
      about="Compare your shop’s orders with what the platforms count."
      actions={id !== undefined && <LinkButton to="/reconcile">Compare others</LinkButton>}
    >
      {id !== undefined && <One key={id} id={id} />}
      {id === undefined && refusal !== undefined && <Notice tone="plain">{refusal}</Notice>}
      {id === undefined && refusal === undefined && <UploadForm made={(made) => change({ id: made })} />}
      <Past current={id} />
    </Page>
  );
}

function One({ id }: { readonly id: string }) {
  const everyMs = useLive();
  const query = useAsk('readReconciliation', { params: { id } }, { everyMs });
  return (
    <Loaded query={query} rows={8}>
      {({ reconciliation }) => <Result reconciliation={reconciliation} />}
    </Loaded>
  );
}

function Past({ current }: { readonly current: string | undefined }) {
  const [{ older }, change] = useUrlState();
  const list = useAsk(
    'listReconciliations',
    { query: { limit: 10, cursor: older } },
    { everyMs: useLive(), keep: true },
  );
  return (
    <LoadedPanel title="Comparisons of the last 7 days" query={list} rows={3}>
      {({ reconciliations, next_cursor }) =>
        reconciliations.length === 0 ? (
          <Empty title="Nothing was compared yet" />
        ) : (
          <>
            <Table name="Comparisons" head={['Made', 'Result', 'Orders', 'Events received between']}>
              {reconciliations.map((one) => (
                <Row key={one.id} selected={one.id === current}>
                  <Cell className="whitespace-nowrap">
                    <Link
                      href={withQuery('/reconcile', { id: one.id })}
                      aria-current={one.id === current || undefined}
                    >
                      <Time at={one.created_at} />
                    </Link>
                  </Cell>
                  <Cell className="min-w-40">
                    <Outcome one={one} />
                  </Cell>
                  <Cell>{count(one.upload.orders)}</Cell>
                  <Cell className="whitespace-nowrap">
                    <Time at={one.covers.start} /> – <Time at={one.covers.end} />
                  </Cell>
                </Row>
              ))}
            </Table>
            <Pager
              cursor={older}
              next={next_cursor}
              go={(cursor) => change({ older: cursor })}
              names={['Newest', 'Older ones']}
            />
          </>
        )
      }
    </LoadedPanel>
  );
}

function Outcome({ one }: { readonly one: Reconciliation }) {
  if (one.status === 'running') return <span className="text-wait">↻ running</span>;
  const worst = Math.max(0, ...Object.values(one.platforms).map(problemsOf));
  if (worst === 0) return <span className="text-good">✔ nothing missing, doubled or wrong</span>;
  return <span className="text-bad">✖ up to {count(worst)} at a platform</span>;
}
