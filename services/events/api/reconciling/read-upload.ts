// The orders of an upload. Guarantees: each order once, however often the upload says it; every refusal names its row and field.
// Refuses: rows that contradict each other, amounts and times that could be read in two ways, and what no event can have.
import type { ErrorDetail } from '#lib/core/http/errors.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { isCurrency, toDecimal, toMinorUnits } from '#lib/events/domain/event/decimal.ts';
import { EVENT_LIMITS } from '#lib/events/domain/event/event.ts';
import {
  RECONCILIATION_LIMITS,
  type UploadedOrder,
  type UploadFigures,
} from '#lib/events/domain/reconciliation/reconciliation.ts';
import { startOfDay, UTC } from '#lib/events/domain/time-zone.ts';
import { moment } from '#lib/events/routes/instant.ts';
import { type OrderRow, readCsvRows, readJsonRows } from './order-rows.ts';

export type Upload =
  | { readonly orders: readonly UploadedOrder[]; readonly figures: UploadFigures }
  | { readonly problems: readonly ErrorDetail[] };

const PROBLEMS_MAX = 20;

/** `zone`: whose days dates are. */
export function readUpload(bytes: Uint8Array, mediaType: string, zone: string = UTC): Upload {
  const read = mediaType === 'text/csv' ? readCsvRows(bytes) : readJsonRows(bytes);
  if ('problems' in read) return read;
  const problems: ErrorDetail[] = [];
  const listing = createListing();
  for (const { path, fields } of read.rows) {
    if (problems.length >= PROBLEMS_MAX) break;
    const found: ErrorDetail[] = [];
    const refuse = (field: string, message: string): void =>
      void found.push({ path: field === '' ? path : `${path}.${field}`, message });
    const order = readOrder(fields, zone, refuse);
    if (found.length === 0) listing.add(order, path, refuse);
    problems.push(...found);
  }
  if (problems.length > 0) return { problems: problems.slice(0, PROBLEMS_MAX) };
  const orders = listing.orders();
  return { orders, figures: figuresOf(orders, read.rows.length) };
}

type Refuse = (field: string, message: string) => void;

function readOrder(fields: OrderRow['fields'], zone: string, refuse: Refuse): UploadedOrder {
  const orderId = idOf(fields.order_id, 'order_id', RECONCILIATION_LIMITS.idMaxChars, refuse);
  const eventId = idOf(fields.event_id, 'event_id', EVENT_LIMITS.eventIdMaxChars, refuse);
  if (orderId === undefined && eventId === undefined) refuse('', 'must have an order_id or an event_id');
  return {
    ...withoutUndefined({ orderId, eventId }),
    ...(fields.value === undefined ? {} : amountOf(fields.value, refuse)),
    ...(fields.currency === undefined ? {} : currencyOf(String(fields.currency), refuse)),
    ...(fields.time === undefined ? {} : timeOf(String(fields.time), zone, refuse)),
  };
}

function idOf(
  field: string | number | undefined,
  name: string,
  maxChars: number,
  refuse: Refuse,
): string | undefined {
  const id = field === undefined ? '' : String(field).trim();
  if (id.length > maxChars) refuse(name, `must be at most ${maxChars} characters`);
  return id === '' ? undefined : id;
}

const AMOUNT = /^\d{1,15}(?:\.\d{1,12})?$/;

function amountOf(field: string | number, refuse: Refuse): Pick<UploadedOrder, 'value'> {
  const text = typeof field === 'number' ? toDecimal(field) : field.trim();
  if (!AMOUNT.test(text)) {
    refuse('value', 'must be an amount like 1059.98: digits and a point, no sign, blank or comma');
    return {};
  }
  return { value: text.replace(/^0+(?=\d)/, '') };
}

function currencyOf(text: string, refuse: Refuse): Pick<UploadedOrder, 'currency'> {
  const currency = text.trim().toUpperCase();
  if (isCurrency(currency)) return { currency };
  refuse('currency', 'must be the code of a currency, such as USD (ISO 4217)');
  return {};
}

function timeOf(text: string, zone: string, refuse: Refuse): Pick<UploadedOrder, 'atMs'> {
  const { data } = moment.safeParse(text.trim());
  if (data !== undefined) return { atMs: typeof data === 'object' ? startOfDay(zone, data.day) : data };
  refuse('time', 'must be an ISO 8601 date, an ISO 8601 date and time with offset, or Unix time');
  return {};
}

interface Listed {
  order: UploadedOrder;
  readonly path: string;
}

/** Orders by either of their ids. */
function createListing() {
  const all: Listed[] = [];
  const byOrder = new Map<string, Listed>();
  const byEvent = new Map<string, Listed>();
  const note = (listed: Listed): void => {
    if (listed.order.orderId !== undefined) byOrder.set(listed.order.orderId, listed);
    if (listed.order.eventId !== undefined) byEvent.set(listed.order.eventId, listed);
  };
  return {
    orders: (): readonly UploadedOrder[] => all.map(({ order }) => order),
    add(order: UploadedOrder, path: string, refuse: Refuse): void {
      const first = order.orderId === undefined ? undefined : byOrder.get(order.orderId);
      const second = order.eventId === undefined ? undefined : byEvent.get(order.eventId);
      if (first !== undefined && second !== undefined && first !== second) {
        refuse('event_id', `is that of ${second.path}, another order`);
        return;
      }
      const known = first ?? second ?? { order, path };
      const field = contradiction(known.order, order);
      if (field !== undefined) {
        refuse(field, `is another than in ${known.path}, the same order`);
        return;
      }
      if (first === undefined && second === undefined) all.push(known);
      known.order = { ...known.order, ...order };
      note(known);
    },
  };
}

function contradiction(a: UploadedOrder, b: UploadedOrder): string | undefined {
  if (differ(a.orderId, b.orderId)) return 'order_id';
  if (differ(a.eventId, b.eventId)) return 'event_id';
  if (differ(a.currency, b.currency)) return 'currency';
  if (differ(a.atMs, b.atMs)) return 'time';
  if (a.value === undefined || b.value === undefined) return undefined;
  const currency = a.currency ?? b.currency ?? '';
  return toMinorUnits(a.value, currency) === toMinorUnits(b.value, currency) ? undefined : 'value';
}

const differ = <T>(a: T | undefined, b: T | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b;

function figuresOf(orders: readonly UploadedOrder[], rows: number): UploadFigures {
  const has = (key: keyof UploadedOrder): number => orders.filter((order) => order[key] !== undefined).length;
  const times = orders.flatMap(({ atMs }) => atMs ?? []);
  const first = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const last = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return {
    orders: orders.length,
    repeated: rows - orders.length,
    withValue: has('value'),
    withCurrency: has('currency'),
    withTime: times.length,
    ...(times.length === 0 ? {} : { firstMs: first, lastMs: last }),
  };
}
