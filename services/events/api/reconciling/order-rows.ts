// Rows of an upload as texts and numbers, whatever they came in. Refuses: more than an upload may hold, and bytes that are no text.

import type { ErrorDetail } from '#lib/core/http/errors.ts';
import { detailsOf, issueText } from '#lib/core/http/issue-text.ts';
import { parseStrictJson, STRICT_JSON_TEXTS } from '#lib/core/http/strict-json.ts';
import { RECONCILIATION_LIMITS } from '#lib/events/domain/reconciliation/reconciliation.ts';
import { createReconciliation } from '#lib/events/routes/orders/reconciliations.ts';
import { CsvProblem, readCsv } from './read-csv.ts';

export const COLUMNS = ['order_id', 'event_id', 'value', 'currency', 'time'] as const;
export type Column = (typeof COLUMNS)[number];

export interface OrderRow {
  /** How a problem of it is named: `orders.3`, or `lines.5` of CSV. */
  readonly path: string;
  readonly fields: Readonly<Partial<Record<Column, string | number>>>;
}

export type Rows = { readonly rows: readonly OrderRow[] } | { readonly problems: readonly ErrorDetail[] };

const { ordersMax } = RECONCILIATION_LIMITS;
const TOO_MANY = `must hold at most ${ordersMax} orders: upload them in parts`;
const wrong = (path: string, message: string): Rows => ({ problems: [{ path, message }] });

export function readJsonRows(bytes: Uint8Array): Rows {
  const parsed = parseStrictJson(bytes);
  if (!parsed.ok) return wrong('', STRICT_JSON_TEXTS[parsed.reason]);
  const { orders } = (parsed.value ?? {}) as { readonly orders?: unknown };
  // Said once, and not by ten thousand checks before.
  if (Array.isArray(orders) && orders.length > ordersMax) return wrong('orders', TOO_MANY);
  const read = createReconciliation.body.safeParse(parsed.value, { error: issueText });
  if (!read.success) return { problems: detailsOf(read.error.issues) };
  return {
    rows: read.data.orders.map((order, index) => ({ path: `orders.${index}`, fields: defined(order) })),
  };
}

const defined = (order: Readonly<Record<string, string | number | undefined>>): OrderRow['fields'] =>
  Object.fromEntries(Object.entries(order).filter(([, value]) => value !== undefined));

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function readCsvRows(bytes: Uint8Array): Rows {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return wrong('', 'must be UTF-8');
  }
  if (text.includes('\0')) return wrong('', 'must be text: it has NUL characters');
  try {
    return rowsOf(readCsv(text));
  } catch (error) {
    if (error instanceof CsvProblem) return wrong(`lines.${error.line}`, error.message);
    throw error;
  }
}

function rowsOf(lines: ReturnType<typeof readCsv>): Rows {
  const head = lines.next();
  if (head.done === true) return wrong('', 'is empty: the first line names the columns');
  const names = head.value.fields.map((name) => name.trim().toLowerCase());
  const columns = COLUMNS.map((column) => [column, names.indexOf(column)] as const).filter(
    ([, at]) => at >= 0,
  );
  const doubled = columns.find(([column, at]) => names.lastIndexOf(column) !== at);
  const path = `lines.${head.value.line}`;
  if (doubled !== undefined) return wrong(path, `must name the column ${doubled[0]} once`);
  if (!columns.some(([column]) => column.endsWith('_id')))
    return wrong(path, 'must name the columns, order_id or event_id among them, with commas between');
  const rows: OrderRow[] = [];
  for (const { line, fields } of lines) {
    if (rows.length === ordersMax) return wrong(`lines.${line}`, TOO_MANY);
    rows.push({ path: `lines.${line}`, fields: cellsOf(fields, columns) });
  }
  return rows.length === 0 ? wrong('', 'must hold at least one order') : { rows };
}

function cellsOf(
  fields: readonly string[],
  columns: readonly (readonly [Column, number])[],
): OrderRow['fields'] {
  const cells = columns.map(([column, at]) => [column, fields[at]?.trim() ?? ''] as const);
  return Object.fromEntries(cells.filter(([, text]) => text !== ''));
}
