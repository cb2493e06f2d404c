// The audit log: who changed what, newest first. Facets narrow it, each entry shows what a field was and what it is.

import { type HelpdeskAnswer, useHelpdesk } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Choice, Field } from '#dashboard/parts/field.tsx';
import { Empty, LoadedPanel, Notice, Page } from '#dashboard/parts/page.tsx';
import { Cell, Pager, Row, Table } from '#dashboard/parts/table.tsx';
import { cleared, type UrlProps, useUrlState } from '#dashboard/parts/url-state.ts';
import { count, Id, Time } from '#dashboard/parts/written.tsx';

type Listed = HelpdeskAnswer<'listAuditEntries'>;
type Entry = Listed['entries'][number];

const ROWS = 50;
const NAMES = ['action', 'actor_id', 'resource_type', 'resource_id', 'from', 'to', 'cursor'] as const;

export default function AuditPage() {
  const [state, change] = useUrlState();
  const query = Object.fromEntries(NAMES.flatMap((name) => (state[name] ? [[name, state[name]]] : [])));
  const log = useHelpdesk(
    'listAuditEntries',
    { query: { limit: ROWS, facets: 'true', ...query } },
    { keep: true },
  );
  return (
    <Page title="Audit log" about="Who changed what. Entries are never changed, and are kept for 400 days.">
      <Filters state={state} change={change} facets={log.data?.facets} />
      {log.data?.facets_truncated && (
        <Notice tone="plain">The numbers are of the newest 10,000 entries that match.</Notice>
      )}
      <LoadedPanel
        title={log.data ? `${count(log.data.total)} entries` : 'Entries'}
        busy={log.isPlaceholderData}
        query={log}
        rows={10}
      >
        {(data) => (
          <Entries data={data} state={state} change={change} isFiltered={Object.keys(query).length > 0} />
        )}
      </LoadedPanel>
    </Page>
  );
}

interface FiltersProps extends UrlProps {
  readonly facets: Listed['facets'];
}

function Filters({ state, change, facets }: FiltersProps) {
  const choices = [
    ['Action', 'action', facets?.action],
    ['Who', 'actor_id', facets?.actor],
    ['What', 'resource_type', facets?.resource_type],
  ] as const;
  const times = [
    ['From', 'from'],
    ['Before', 'to'],
  ] as const;
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      {choices.map(([label, name, facet]) => (
        <div key={name} className="w-full max-w-60">
          <Choice
            label={label}
            value={state[name] ?? ''}
            options={optionsOf(facet, state[name])}
            change={(value) => change({ [name]: value, cursor: '' })}
          />
        </div>
      ))}
      {times.map(([label, name]) => (
        <Field
          key={name}
          label={label}
          type="date"
          value={(state[name] ?? '').slice(0, 10)}
          change={(value) => change({ [name]: value === '' ? '' : `${value}T00:00:00Z`, cursor: '' })}
        />
      ))}
    </div>
  );
}

type Facet = readonly { readonly value: string; readonly count: number }[];

/** What is chosen stays a choice where nothing has it. */
function optionsOf(facet: Facet = [], chosen = ''): readonly (readonly [string, string])[] {
  const known = facet.map(({ value, count: number }) => [value, `${value} (${count(number)})`] as const);
  const extra =
    chosen === '' || facet.some(({ value }) => value === chosen) ? [] : [[chosen, chosen] as const];
  return [['', 'All'], ...extra, ...known];
}

interface EntriesProps extends UrlProps {
  readonly data: Listed;
  readonly isFiltered: boolean;
}

function Entries({ data, state, change, isFiltered }: EntriesProps) {
  if (data.entries.length === 0)
    return (
      <Empty title={isFiltered ? 'No entry fits these filters' : 'Nothing was changed yet'}>
        {isFiltered && <Button onClick={() => change(cleared(state))}>Clear the filters</Button>}
      </Empty>
    );
  return (
    <>
      <Table name="Entries" head={['When', 'Who', 'Action', 'What', 'Changes']}>
        {data.entries.map((entry) => (
          <Row key={entry.id}>
            <Cell className="whitespace-nowrap">
              <Time at={entry.created_at} />
            </Cell>
            <Cell className="foreign min-w-32">{entry.actor.label || entry.actor.id}</Cell>
            <Cell className="foreign min-w-40">
              {entry.action}
              {entry.source === 'client' && (
                <span className="block text-sm text-dim">recorded by the caller</span>
              )}
            </Cell>
            <Cell className="min-w-40">
              {entry.resource_type} {entry.resource_id && <Id>{entry.resource_id}</Id>}
            </Cell>
            <Cell className="min-w-40">
              <Changes changes={entry.changes} />
            </Cell>
          </Row>
        ))}
      </Table>
      <Pager
        cursor={state.cursor}
        next={data.next_cursor}
        go={(cursor) => change({ cursor })}
        names={['Newest', 'Older']}
      />
    </>
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const asText = (value: unknown): string =>
  value === null || value === undefined
    ? 'nothing'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

function Changes({ changes }: { readonly changes: Entry['changes'] }) {
  const fields = Object.entries(changes ?? {});
  if (fields.length === 0) return <span className="text-dim">–</span>;
  return (
    <ul>
      {fields.map(([name, value]) => (
        <li key={name} className="foreign">
          <b>{name}</b>:{' '}
          {isObject(value) && ('from' in value || 'to' in value) ? (
            <>
              {asText(value.from)} <span aria-hidden>→</span>
              <span className="sr-only">became</span> {asText(value.to)}
            </>
          ) : (
            asText(value)
          )}
        </li>
      ))}
    </ul>
  );
}
