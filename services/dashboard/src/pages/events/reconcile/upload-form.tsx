// What is to be compared: a CSV, pasted or chosen as a file. It is shown as it will be read before it is sent; a text too long
// to be edited is taken like a file, so that the page stays quick.

import { type ClipboardEvent, type DragEvent, useDeferredValue, useId, useState } from 'react';
import { type Input, useKeyedChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Field, Form } from '#dashboard/parts/field.tsx';
import { Failure, Panel } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { Ticks } from '#dashboard/parts/tick.tsx';
import { counted, isoOf } from '#dashboard/parts/written.tsx';
import { connectedIn, usePlatforms } from '../platform-list.ts';
import { COLUMNS, type OrdersPreview, type Problem, previewOrders, textOf, tooLarge } from './read-orders.ts';

/** What goes to the API, and what it looks like. */
interface Taken {
  /** Another one for other contents. */
  readonly id: string;
  readonly name: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly preview: OrdersPreview | Problem;
}

interface Wish {
  /** Of what was taken. */
  readonly id: string;
  readonly body: Taken['body'];
  readonly query: NonNullable<Input<'createReconciliation'>['query']>;
}

/** Longer ones are no text to edit. */
const TYPED_MAX_CHARS = 20_000;

const takenText = (id: string, name: string, text: string): Taken => ({
  id,
  name,
  body: text,
  preview: tooLarge(new TextEncoder().encode(text).byteLength) ?? previewOrders(text),
});

async function takenFile(file: File): Promise<Taken> {
  const common = { id: crypto.randomUUID(), name: file.name };
  const large = tooLarge(file.size);
  if (large !== undefined) return { ...common, body: '', preview: large };
  try {
    const body = new Uint8Array(await file.arrayBuffer());
    const read = textOf(body);
    return { ...common, body, preview: 'text' in read ? previewOrders(read.text) : read };
  } catch {
    return { ...common, body: '', preview: { problem: 'The file could not be read: choose it again.' } };
  }
}

export function UploadForm({ made }: { readonly made: (id: string) => void }) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<Taken | null>(null);
  const [start, setStart] = useState('');
  const [end, setEnd] = useState('');
  const [only, setOnly] = useState<readonly string[]>([]);
  const { data: platforms } = usePlatforms();
  const seen = useDeferredValue(typed);
  const shown = chosen ?? (seen.trim() === '' ? null : takenText(seen, 'What you typed', seen));
  const create = useKeyedChange(
    ({ client }, { body, query }: Wish, headers) =>
      client.createReconciliation({
        body,
        query,
        headers: { ...headers, 'content-type': 'text/csv' },
      }),
    {
      wishOf: ({ id, query }) => JSON.stringify([id, query]),
      done: ({ body }) => made(body.reconciliation.id),
    },
  );
  const isGood = shown !== null && 'orders' in shown.preview;
  const submit = (): void => {
    if (shown === null || !isGood || seen !== typed) return;
    const query = { start: isoOf(start), end: isoOf(end), platforms: only.join(',') || undefined };
    create.send({ id: shown.id, body: shown.body, query });
  };
  return (
    <Panel title="New comparison">
      <Form send={submit}>
        <Source typed={typed} type={setTyped} chosen={chosen} choose={setChosen} />
        <div aria-live="polite">{shown !== null && <Preview preview={shown.preview} />}</div>
        <details className="my-4">
          <summary>Time and platforms</summary>
          <div className="mt-3 grid max-w-160 gap-3 sm:grid-cols-2">
            <Field label="Events received from" type="datetime-local" value={start} change={setStart} />
            <Field label="Events received before" type="datetime-local" value={end} change={setEnd} />
          </div>
          <p className="my-2 text-sm text-dim">
            Without a time: from a day before the first order’s time, or the last 30 days where no order has
            one.
          </p>
          <fieldset className="flex flex-wrap gap-x-4">
            <legend className="mb-1 text-sm font-bold">
              At these platforms; at all where none is chosen
            </legend>
            <Ticks options={connectedIn(platforms)} chosen={only} choose={setOnly} />
          </fieldset>
        </details>
        <Failure error={create.error} />
        <Button
          type="submit"
          kind="primary"
          busy={create.isPending}
          refused={isGood ? undefined : 'Give orders first.'}
        >
          {create.isPending ? 'Sending…' : 'Compare'}
        </Button>
      </Form>
    </Panel>
  );
}

interface SourceProps {
  readonly typed: string;
  readonly type: (text: string) => void;
  readonly chosen: Taken | null;
  readonly choose: (taken: Taken | null) => void;
}

function Source({ typed, type, chosen, choose }: SourceProps) {
  const id = useId();
  const takeFile = (file: File | undefined): void => {
    if (file !== undefined) void takenFile(file).then(choose);
  };
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text/plain');
    if (text.length <= TYPED_MAX_CHARS) return;
    event.preventDefault();
    choose(takenText(crypto.randomUUID(), 'What you pasted', text));
  };
  const drop = (event: DragEvent): void => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    takeFile(event.dataTransfer.files[0]);
  };
  if (chosen !== null)
    return (
      <p className="flex flex-wrap items-center gap-3">
        <span className="foreign font-bold">{chosen.name}</span>
        <Button onClick={() => choose(null)}>Take another</Button>
      </p>
    );
  return (
    <>
      <label htmlFor={id} className="mb-1 block text-sm font-bold">
        Orders as CSV
      </label>
      <textarea
        id={id}
        rows={6}
        spellCheck={false}
        placeholder={'order_id,value,currency,time\n1001,59.98,USD,2026-11-20T12:00:00Z'}
        aria-describedby={`${id}-help`}
        className="w-full rounded-sm border border-control bg-surface p-2 font-mono text-sm"
        value={typed}
        onChange={({ target }) => type(target.value)}
        onPaste={paste}
        onDrop={drop}
      />
      <p id={`${id}-help`} className="mt-1 text-sm text-dim">
        The first line names the columns: order_id or event_id; value, currency and time where they are to be
        compared. Other columns are left out. Up to 10,000 orders; kept sealed for 7 days.
      </p>
      <label className="mt-2 flex flex-wrap items-center gap-2 text-sm">
        or a file
        <input
          type="file"
          accept=".csv,text/csv,text/plain"
          className="max-w-full text-sm file:mr-3 file:min-h-8 file:rounded-sm file:border file:border-control file:bg-surface file:px-3 file:text-ink"
          onChange={({ target }) => takeFile(target.files?.[0])}
        />
      </label>
    </>
  );
}

function Preview({ preview }: { readonly preview: Taken['preview'] }) {
  if ('problem' in preview) return <p className="foreign mt-3 text-bad">✖ {preview.problem}</p>;
  const { orders, names, first } = preview;
  const read = names.flatMap((name, index) =>
    COLUMNS.includes(name.toLowerCase()) ? [[name.toLowerCase(), index] as const] : [],
  );
  const left = names.filter((name) => !COLUMNS.includes(name.toLowerCase()));
  return (
    <div className="mt-3">
      <p className="foreign mb-2">
        ✔ {counted(orders, 'order')}.
        {left.length > 0 && <span className="text-dim"> Left out: {left.join(', ').slice(0, 300)}.</span>}
      </p>
      <Table name="The first orders" head={read.map(([name]) => name)}>
        {first.map((fields, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their places
          <Row key={row}>
            {read.map(([name, index]) => (
              <Cell key={name} className="foreign font-mono text-sm">
                {(fields[index] ?? '').slice(0, 100)}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
    </div>
  );
}
