// Privacy: erase what is stored of one person, watch the progress, and keep the receipt; and the list of people who object. A receipt
// identifies its person only to a reader who knows both.
import { useAsk } from '#dashboard/app/api.tsx';
import { useLive } from '#dashboard/app/polling.ts';
import { Button } from '#dashboard/parts/button.tsx';
import { Empty, LoadedPanel, Page } from '#dashboard/parts/page.tsx';
import { Cell, Pager, Row, Table } from '#dashboard/parts/table.tsx';
import { useUrlState } from '#dashboard/parts/url-state.ts';
import { count, Time } from '#dashboard/parts/written.tsx';
import { EraseForm } from './erase-form.tsx';
import { type Erasure, goesOn, Receipt, stateOf } from './receipt.tsx';
import { Suppressions } from './suppress-form.tsx';

const ROWS = 20;

export default function PrivacyPage() {
  const [{ id, cursor }, change] = useUrlState();
  const everyMs = useLive();
  const erasures = useAsk(
    'listErasures',
    { query: { limit: ROWS, cursor } },
    {
      everyMs: (known) => (known?.erasures.some(goesOn) ? everyMs : 0),
      keep: true,
    },
  );
  return (
    <Page
      title="Privacy"
      about="Erase what is known of one person from all events. The events stay, without it, and the figures as they are."
    >
      <EraseForm begun={(erasure) => change({ id: erasure.id, cursor: '' })} />
      {id !== undefined && <OneErasure key={id} id={id} everyMs={everyMs} close={() => change({ id: '' })} />}
      <Suppressions />
      <LoadedPanel title="Erasures" busy={erasures.isPlaceholderData} query={erasures} rows={4}>
        {({ erasures: list, next_cursor }) => (
          <>
            {list.length === 0 ? (
              <Empty title="Nobody was erased yet">A receipt is kept for 400 days.</Empty>
            ) : (
              <Erasures list={list} open={(one) => change({ id: one })} />
            )}
            <Pager
              cursor={cursor}
              next={next_cursor}
              go={(to) => change({ cursor: to })}
              names={['The newest', 'Older ones']}
            />
          </>
        )}
      </LoadedPanel>
    </Page>
  );
}

interface OneErasureProps {
  readonly id: string;
  readonly everyMs: number;
  readonly close: () => void;
}

/** Polled until it is done, and platforms are asked no more. */
function OneErasure({ id, everyMs, close }: OneErasureProps) {
  const erasure = useAsk(
    'readErasure',
    { params: { id } },
    { everyMs: (known) => (known === undefined || goesOn(known.erasure) ? everyMs : 0) },
  );
  return (
    <LoadedPanel title="Receipt" actions={<Button onClick={close}>Close</Button>} query={erasure} rows={5}>
      {({ erasure: one }) => <Receipt erasure={one} />}
    </LoadedPanel>
  );
}

interface ErasuresProps {
  readonly list: readonly Erasure[];
  readonly open: (id: string) => void;
}

function Erasures({ list, open }: ErasuresProps) {
  return (
    <Table name="Each erasure" head={['Asked for', 'State', 'Found', 'Erased', 'Remaining', '']}>
      {list.map((erasure) => (
        <Row key={erasure.id}>
          <Cell className="whitespace-nowrap">
            <Time at={erasure.created_at} />
          </Cell>
          <Cell className={`whitespace-nowrap ${stateOf(erasure).look}`}>{stateOf(erasure).words}</Cell>
          <Cell>{count(erasure.found)}</Cell>
          <Cell>{count(erasure.erased)}</Cell>
          <Cell>{erasure.remaining === null ? '–' : count(erasure.remaining)}</Cell>
          <Cell className="text-right">
            <Button onClick={() => open(erasure.id)}>
              Receipt<span className="sr-only"> of {erasure.created_at}</span>
            </Button>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
