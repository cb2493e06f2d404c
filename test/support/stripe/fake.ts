// Stripe as far as billing uses it, over HTTP and with a memory: customers, prices, checkouts, subscriptions, the portal, and
// events that are signed by Stripe's own library. Guarantees: a request is refused that has no key, is no form, or whose
// Idempotency-Key was used for another request; one that is repeated is answered as before and does nothing.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';

export const SECRET_KEY = 'sk_test_fake';
export const WEBHOOK_SECRET = 'whsec_fake';
const MONTH_SEC = 30 * 86_400;

type Json = Record<string, unknown>;
type Form = Readonly<Record<string, string>>;

interface FakeSubscription {
  readonly id: string;
  readonly customer: string;
  status: string;
  priceId: string;
  start: number;
  cancelAtPeriodEnd: boolean;
  readonly created: number;
}
interface FakeSession {
  readonly id: string;
  readonly customer: string;
  readonly priceId: string;
  status: 'open' | 'complete' | 'expired';
  readonly form: Form;
}
interface FakeInvoice {
  readonly id: string;
  readonly customer: string;
  status: string;
  readonly billing_reason: string;
  readonly period_start: number;
  readonly period_end: number;
  readonly lines: Form[];
}
export interface FakePrice {
  readonly id: string;
  readonly lookup_key: string;
  readonly unit_amount: number;
  readonly currency?: string;
  readonly interval?: string;
}
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly form: Form;
  readonly headers: IncomingMessage['headers'];
}
export interface StripeEvent extends Json {
  readonly id: string;
  readonly type: string;
}
/** What becomes of a request instead of its answer. */
export type Fault = 'reset' | 'lost answer' | number | undefined;

const PRICES: readonly FakePrice[] = [
  { id: 'price_growth', lookup_key: 'millrace_growth_monthly', unit_amount: 4_900 },
  { id: 'price_scale', lookup_key: 'millrace_scale_monthly', unit_amount: 19_900 },
  { id: 'price_other', lookup_key: 'another_product', unit_amount: 100 },
];

class Refusal extends Error {
  readonly status: number;
  readonly body: Json;
  constructor(status: number, error: Json) {
    super(String(error.message));
    this.status = status;
    this.body = { error };
  }
}
const invalid = (message: string, more: Json = {}, status = 400) =>
  new Refusal(status, { type: 'invalid_request_error', message, ...more });
const missing = (param: string, id: string) =>
  invalid(`No such ${param}: '${id}'`, { code: 'resource_missing', param });

export async function startStripe(now: () => number) {
  const customers = new Map<string, Json>();
  const subscriptions = new Map<string, FakeSubscription>();
  const sessions = new Map<string, FakeSession>();
  const done = new Map<string, { readonly what: string; readonly status: number; readonly body: Json }>();
  const invoices = new Map<string, FakeInvoice>();
  const asked: Asked[] = [];
  const state = {
    prices: PRICES,
    fault: (_asked: Asked): Fault => undefined,
    /** Runs when an answer is made and not sent yet: where others get between. */
    after: async (_asked: Asked): Promise<void> => undefined,
  };
  let ids = 0;
  const id = (prefix: string): string => `${prefix}_${++ids}`;
  const nowSec = (): number => Math.floor(now() / 1_000);

  const shown = (one: FakeSubscription): Json => ({
    id: one.id,
    object: 'subscription',
    customer: one.customer,
    status: one.status,
    created: one.created,
    cancel_at: null,
    cancel_at_period_end: one.cancelAtPeriodEnd,
    items: {
      object: 'list',
      data: [
        {
          id: `si_${one.id}`,
          object: 'subscription_item',
          current_period_start: one.start,
          current_period_end: one.start + MONTH_SEC,
          price: state.prices.find((price) => price.id === one.priceId),
        },
      ],
    },
  });
  const session = (one: FakeSession): Json => ({
    id: one.id,
    object: 'checkout.session',
    customer: one.customer,
    status: one.status,
    url: one.status === 'open' ? `https://checkout.stripe.test/${one.id}` : null,
  });
  const customerOf = (form: Form): string => {
    const customer = form.customer ?? '';
    if (!customers.has(customer)) throw missing('customer', customer);
    return customer;
  };
  const event = (type: string, object: Json): StripeEvent => ({
    id: id('evt'),
    object: 'event',
    type,
    created: nowSec(),
    data: { object: structuredClone(object) },
  });

  /** By method and path; what stands for `*` is given to it. */
  const routes: Readonly<Record<string, (form: Form, found: string) => Json>> = {
    'POST /v1/customers': (form) => {
      const customer = { id: id('cus'), object: 'customer', form };
      customers.set(customer.id, customer);
      return customer;
    },
    'GET /v1/subscriptions': (form) => {
      const customer = customerOf(form);
      const all = [...subscriptions.values()].filter((one) => one.customer === customer);
      const data = all.filter(({ status }) => form.status === 'all' || status !== 'canceled').map(shown);
      return { object: 'list', data: data.reverse().slice(0, Number(form.limit)), has_more: false };
    },
    'GET /v1/prices': (form) => ({
      object: 'list',
      data: state.prices
        .filter(({ lookup_key }) => lookup_key === form['lookup_keys[0]'])
        .map(({ interval = 'month', currency = 'usd', ...price }) => ({
          ...price,
          object: 'price',
          currency,
          billing_scheme: 'per_unit',
          recurring: { interval, interval_count: 1, usage_type: 'licensed' },
        })),
    }),
    'POST /v1/checkout/sessions': (form) => {
      const priceId = form['line_items[0][price]'] ?? '';
      const customer = customerOf(form);
      if (!state.prices.some((price) => price.id === priceId)) throw missing('line_items[0][price]', priceId);
      const made: FakeSession = { id: id('cs'), customer, priceId, status: 'open', form };
      sessions.set(made.id, made);
      return session(made);
    },
    'POST /v1/checkout/sessions/*/expire': (_form, found) => {
      const known = sessions.get(found);
      if (known === undefined) throw missing('session', found);
      if (known.status !== 'open') throw invalid('Only open sessions expire.');
      known.status = 'expired';
      return session(known);
    },
    'POST /v1/billing_portal/sessions': (form) => ({
      id: id('bps'),
      object: 'billing_portal.session',
      url: `https://billing.stripe.test/${customerOf(form)}`,
    }),
    'GET /v1/invoices/*': (_form, found) => {
      const known = invoices.get(found);
      if (known === undefined) throw missing('invoice', found);
      return invoice(known);
    },
    'POST /v1/invoiceitems': (form) => {
      const known = invoices.get(form.invoice ?? '');
      if (known?.status !== 'draft') throw invalid('Final.');
      known.lines.push(form);
      return { id: id('ii'), object: 'invoiceitem' };
    },
  };

  const invoice = ({ lines, ...one }: FakeInvoice): Json => ({
    ...one,
    object: 'invoice',
    lines: {
      object: 'list',
      data: lines.map((line) => ({
        object: 'line_item',
        amount: Number(line.amount),
        description: line.description,
        metadata: { millrace_overage_of: line['metadata[millrace_overage_of]'] },
      })),
    },
  });

  function answerOf({ method, path, form, headers }: Asked): { status: number; body: Json } {
    if (headers.authorization !== `Bearer ${SECRET_KEY}`)
      throw invalid(`Invalid API Key: ${headers.authorization}`, {}, 401);
    if (headers['stripe-version'] === undefined) throw new Error('a request without a version');
    const key = headers['idempotency-key'] as string | undefined;
    const what = JSON.stringify([method, path, form]);
    const before = key === undefined ? undefined : done.get(key);
    if (before !== undefined && before.what !== what)
      throw new Refusal(400, { type: 'idempotency_error', message: 'Keys belong to one request.' });
    if (before !== undefined) return before;
    for (const [route, handle] of Object.entries(routes)) {
      const found = new RegExp(`^${route.replace('*', '(\\w+)')}$`).exec(`${method} ${path}`);
      if (found === null) continue;
      const answer = { status: 200, body: handle(form, found[1] ?? '') };
      if (key !== undefined) done.set(key, { what, ...answer });
      return answer;
    }
    throw invalid(`Unrecognized request URL ${path}`, {}, 404);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '', 'http://stripe');
    const text =
      request.method === 'GET' ? url.searchParams : new URLSearchParams(Buffer.concat(chunks).toString());
    const given: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      form: Object.fromEntries(text),
      headers: request.headers,
    };
    asked.push(given);
    const fault = state.fault(given);
    if (fault === 'reset') return void request.socket.destroy();
    let answer: { status: number; body: Json };
    try {
      if (typeof fault === 'number') throw new Refusal(fault, { type: 'api_error', message: 'no' });
      answer = answerOf(given);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer = error;
    }
    await state.after(given);
    if (fault === 'lost answer') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', 'request-id': id('req') });
    response.end(JSON.stringify(answer.body));
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const subscriptionOf = (found: string): FakeSubscription => {
    const one = subscriptions.get(found);
    if (one === undefined) throw new Error(`no subscription ${found}`);
    return one;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    state,
    customers,
    sessions,
    /** Somebody pays at an open checkout. */
    pay(sessionId: string): { readonly subscription: string; readonly events: readonly StripeEvent[] } {
      const paid = sessions.get(sessionId);
      if (paid?.status !== 'open')
        throw new Error(`${sessionId} is ${paid?.status ?? 'unknown'}: nobody can pay`);
      paid.status = 'complete';
      const one: FakeSubscription = {
        id: id('sub'),
        customer: paid.customer,
        status: 'active',
        priceId: paid.priceId,
        start: nowSec(),
        cancelAtPeriodEnd: false,
        created: nowSec(),
      };
      subscriptions.set(one.id, one);
      return {
        subscription: one.id,
        events: [
          event('customer.subscription.created', shown(one)),
          event('checkout.session.completed', session(paid)),
          event('invoice.paid', { id: id('in'), object: 'invoice', customer: one.customer }),
        ],
      };
    },
    /** In the portal, or by Stripe itself. */
    change(found: string, change: Partial<FakeSubscription>): StripeEvent {
      const one = Object.assign(subscriptionOf(found), change);
      return event('customer.subscription.updated', shown(one));
    },
    cancel(found: string): StripeEvent {
      const one = Object.assign(subscriptionOf(found), { status: 'canceled' });
      return event('customer.subscription.deleted', shown(one));
    },
    invoices,
    /** A period ends: its invoice is open for an hour. */
    renew(
      found: string,
      reason = 'subscription_cycle',
    ): { readonly invoice: string; readonly event: StripeEvent } {
      const one = subscriptionOf(found);
      const made: FakeInvoice = {
        id: id('in'),
        customer: one.customer,
        status: 'draft',
        billing_reason: reason,
        period_start: one.start,
        period_end: one.start + MONTH_SEC,
        lines: [],
      };
      invoices.set(made.id, made);
      one.start += MONTH_SEC;
      return { invoice: made.id, event: event('invoice.created', invoice(made)) };
    },
    event,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type FakeStripe = Awaited<ReturnType<typeof startStripe>>;

/** Body and signature as Stripe would send them. */
export function signed(event: unknown, atMs: number, secret = WEBHOOK_SECRET) {
  const body = typeof event === 'string' ? event : JSON.stringify(event, null, 2);
  const timestamp = Math.floor(atMs / 1_000);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
  return { body, signature };
}
