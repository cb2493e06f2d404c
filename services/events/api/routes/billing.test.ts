// Goal: a plan is bought, changed and cancelled as Stripe says, whatever order its news come in; nobody else's news, address or
// key gets anything. Method: the API on memory ports, Stripe's own library, and a server that speaks Stripe's protocol.
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../lib/core/work/time-slot.ts';
import { EMPTY_COUNTERS } from '../../../../lib/events/domain/analytics.ts';
import {
  getBillingUsage,
  listBillingPlans,
  openBillingCheckout,
  openBillingPortal,
  takeBillingEvent,
} from '../../../../lib/events/routes/billing.ts';
import {
  type ApiHost,
  bodyOf,
  codeOf,
  MINE,
  NOW,
  openApi,
  PAGE,
  THEIRS,
} from '../../../../test/contract/api-host.ts';
import {
  type FakeStripe,
  SECRET_KEY,
  type StripeEvent,
  signed,
  startStripe,
  WEBHOOK_SECRET,
} from '../../../../test/support/stripe/fake.ts';
import { namesSecrets, paymentsOf } from '../billing/payments.ts';

const SETTINGS = { STRIPE_SECRET_KEY_PARAMETER: '/key', STRIPE_WEBHOOK_SECRET_PARAMETER: '/hook' };
const SUCCESS = `${PAGE}/billing?session={CHECKOUT_SESSION_ID}`;
type Owner = 'mine' | 'theirs';

let host: ApiHost;
let stripe: FakeStripe;
let nowMs = (): number => NOW;

beforeEach(async () => {
  stripe = await startStripe(() => nowMs());
  host = await openApi(({ clock, random }) => ({
    payments: paymentsOf(
      { ...SETTINGS, STRIPE_API_URL: stripe.url },
      {
        clock,
        random,
        readSecrets: async () =>
          new Map([
            ['/key', SECRET_KEY],
            ['/hook', WEBHOOK_SECRET],
          ]),
      },
    ),
    namesPayments: namesSecrets(SETTINGS),
  }));
  nowMs = () => host.clock.now();
});
afterEach(() => stripe.close());

const post = async (path: string, body: unknown, owner: Owner = 'mine') =>
  await host.call(`/v1/billing/${path}`, { method: 'POST', token: tokenOf(owner), body });
const tokenOf = (owner: Owner) => host.session('owner', owner);
const checkout = (plan = 'growth', owner: Owner = 'mine') =>
  post('checkout', { plan, success_url: SUCCESS, cancel_url: `${PAGE}/billing` }, owner);
const usage = async (owner: Owner = 'mine') =>
  bodyOf(getBillingUsage, await host.call('/v1/billing/usage', { token: tokenOf(owner) }));
const send = (body: string | Uint8Array, signature: string | undefined, headers = {}) =>
  host.call('/v1/billing/webhook', {
    method: 'POST',
    body,
    headers: { ...(signature === undefined ? {} : { 'stripe-signature': signature }), ...headers },
  });
/** As Stripe sends it, now. */
async function tell(event: StripeEvent): Promise<string> {
  const { body, signature } = signed(event, host.clock.now());
  return bodyOf(takeBillingEvent, await send(body, signature)).result;
}
/** Ids of checkouts, in the order in which they were opened. */
const opened = (): readonly string[] => [...stripe.sessions.keys()];
async function buy(plan = 'growth', owner: Owner = 'mine') {
  expect((await checkout(plan, owner)).status).toBe(200);
  return stripe.pay(opened().at(-1) ?? '');
}
const planIn = async (owner: Owner = 'mine') => {
  const { plan, payment_provider } = await usage(owner);
  return [plan.id, payment_provider.subscription?.status ?? null];
};

describe('a plan', () => {
  it('is bought at a checkout, changed and cancelled in the portal, and holds when Stripe says so', async () => {
    const first = bodyOf(openBillingCheckout, await checkout());
    const [session = ''] = opened();
    expect(first).toEqual({
      success: true,
      kind: 'checkout',
      url: `https://checkout.stripe.test/${session}`,
    });
    expect(await planIn()).toEqual(['free', null]);
    const { subscription, events } = stripe.pay(session);
    expect(await Promise.all(events.map(tell))).toContain('applied');
    expect(await planIn()).toEqual(['growth', 'active']);
    expect(codeOf(await checkout())).toBe('plan_active');

    const upgrade = bodyOf(openBillingCheckout, await checkout('scale'));
    expect(upgrade.kind).toBe('portal');
    expect(stripe.asked.at(-1)?.form).toMatchObject({
      return_url: SUCCESS,
      'flow_data[type]': 'subscription_update_confirm',
      'flow_data[subscription_update_confirm][subscription]': subscription,
      'flow_data[subscription_update_confirm][items][0][id]': `si_${subscription}`,
      'flow_data[subscription_update_confirm][items][0][price]': 'price_scale',
    });
    expect(await tell(stripe.change(subscription, { priceId: 'price_scale' }))).toBe('applied');
    expect(await planIn()).toEqual(['scale', 'active']);

    const portal = bodyOf(openBillingPortal, await post('portal', { return_url: `${PAGE}/billing` }));
    expect(portal.url).toBe(`https://billing.stripe.test/${[...stripe.customers.keys()][0]}`);
    await tell(stripe.change(subscription, { cancelAtPeriodEnd: true }));
    const ends = (await usage()).payment_provider.subscription?.ends_at;
    expect([await planIn(), ends]).toEqual([['scale', 'active'], new Date(NOW + 30 * DAY_MS).toISOString()]);
    await tell(stripe.cancel(subscription));
    expect(await planIn()).toEqual(['free', 'canceled']);
    expect((await buy()).subscription).not.toBe(subscription);
    expect(stripe.customers.size).toBe(1);
  });

  it('outlives a payment that is being repeated, and no further', async () => {
    const { subscription } = await buy();
    for (const [status, plan] of [
      ['past_due', 'growth'],
      ['unpaid', 'free'],
      ['paused', 'free'],
      ['trialing', 'growth'],
    ] as const) {
      await tell(stripe.change(subscription, { status }));
      expect(await planIn()).toEqual([plan, status]);
    }
    // One that may come back is not bought again beside itself.
    await tell(stripe.change(subscription, { status: 'unpaid' }));
    expect(bodyOf(openBillingCheckout, await checkout()).kind).toBe('portal');
    await tell(stripe.change(subscription, { status: 'active', priceId: 'price_other' }));
    expect(await planIn()).toEqual(['free', 'active']);
  });

  it('leaves an entry for everything that changed it', async () => {
    const { events, subscription } = await buy();
    for (const event of events) await tell(event);
    const entries = await host.config.listAudit(MINE, 10);
    expect(entries.map(({ actor, action, subject }) => [actor, action, subject]).sort()).toEqual([
      [`stripe:${events[0]?.id}`, 'billing.change', subscription],
      ['user:mine-owner', 'billing.checkout', 'growth'],
    ]);
  });
});

describe('news of Stripe', () => {
  /** Every order of three. */
  const ORDERS = [0, 1, 2].flatMap((a) => [0, 1, 2].flatMap((b) => (a === b ? [] : [[a, b, 3 - a - b]])));

  it.each(ORDERS)('in the order %i %i %i end in what is true', async (...order) => {
    const { subscription, events } = await buy();
    const news = [
      events[0] as StripeEvent,
      stripe.change(subscription, { priceId: 'price_scale' }),
      stripe.cancel(subscription),
    ];
    for (const i of order) await tell(news[i] as StripeEvent);
    expect(await planIn()).toEqual(['free', 'canceled']);
  });

  it('about a subscription that ended do not hide the one that was bought since', async () => {
    const old = await buy();
    const [bought] = old.events;
    await tell(bought as StripeEvent);
    const ended = stripe.cancel(old.subscription);
    host.clock.advance(60_000);
    const next = await buy('scale');
    for (const event of [next.events[0] as StripeEvent, ended]) await tell(event);
    expect(await planIn()).toEqual(['scale', 'active']);
  });

  it('that are worked on at once never leave the older state behind', async () => {
    const { subscription, events } = await buy();
    // The first one asks Stripe, and its answer is under way while everything changes.
    let held: (() => void) | undefined;
    const release = new Promise<void>((resolve) => {
      held = resolve;
    });
    let answers = 0;
    const list = stripe.state.after;
    stripe.state.after = async ({ path }) => {
      if (path === '/v1/subscriptions' && answers++ === 0) await release;
    };
    const slow = tell(events[0] as StripeEvent);
    while (answers === 0) await new Promise(setImmediate);
    expect(await tell(stripe.change(subscription, { priceId: 'price_scale' }))).toBe('applied');
    held?.();
    await slow;
    expect(await planIn()).toEqual(['scale', 'active']);
    stripe.state.after = list;
  });

  it('are taken once, also after a month, and again where the first time failed', async () => {
    const { events } = await buy();
    const event = events[0] as StripeEvent;
    stripe.state.fault = ({ path }) => (path === '/v1/subscriptions' ? 400 : undefined);
    const { body, signature } = signed(event, host.clock.now());
    expect((await send(body, signature)).status).toBe(503);
    stripe.state.fault = () => undefined;
    expect(await tell(event)).toBe('applied');
    const before = stripe.asked.length;
    expect(await tell(event)).toBe('repeated');
    host.clock.advance(31 * DAY_MS);
    expect(await tell(event)).toBe('repeated');
    expect(stripe.asked.length).toBe(before);
  });

  it('may come as often as they like at the same moment: one change, one entry', async () => {
    const { events } = await buy();
    const results = await Promise.all(Array.from({ length: 12 }, () => tell(events[0] as StripeEvent)));
    expect(results.filter((result) => result === 'applied')).toHaveLength(1);
    expect((await host.ports.billing.billing(MINE))?.version).toBe(3);
    const changes = (await host.config.listAudit(MINE, 50)).filter(
      ({ action }) => action === 'billing.change',
    );
    expect(changes).toHaveLength(1);
  });

  it('of other types and other people change nothing and ask nobody', async () => {
    await buy();
    const customer = [...stripe.customers.keys()][0];
    await buy('growth', 'theirs');
    const before = stripe.asked.length;
    for (const [type, object] of [
      ['customer.subscription.updated', { object: 'subscription', customer: 'cus_foreign' }],
      ['customer.subscription.updated', { object: 'subscription', customer: `${customer} ` }],
      ['customer.subscription.updated', { object: 'subscription', customer: 'x'.repeat(255) }],
      ['customer.subscription.updated', { object: 'subscription' }],
      ['invoice.paid', { object: 'invoice', customer: null }],
      ['product.created', { object: 'product', id: 'prod_1' }],
      ['something.new', { object: 'thing', customer }],
    ] as const)
      expect(await tell(stripe.event(type, object)), type).toBe('ignored');
    const elsewhere = { ...stripe.event('invoice.paid', { object: 'invoice', customer }), account: 'acct_1' };
    expect(await tell(elsewhere)).toBe('ignored');
    expect(stripe.asked.length).toBe(before);
    expect(await planIn('mine')).toEqual(['free', null]);
    expect(await planIn('theirs')).toEqual(['free', null]);
  });

  it('are of the merchant whose customer it is, and of no other', async () => {
    const mine = await buy('growth', 'mine');
    await buy('scale', 'theirs');
    for (const event of mine.events) await tell(event);
    expect([await planIn('mine'), await planIn('theirs')]).toEqual([
      ['growth', 'active'],
      ['free', null],
    ]);
    expect((await host.ports.billing.billing(THEIRS))?.subscription).toBeNull();
  });
});

describe('whoever is not Stripe', () => {
  it('is told so, and changes nothing', async () => {
    const { events } = await buy();
    const { body, signature } = signed(events[0], NOW);
    const [time, v1 = ''] = signature.split(',');
    const spoiled: readonly (readonly [string | Uint8Array, string | undefined])[] = [
      [body, undefined],
      [body, ''],
      [body, signed(events[0], NOW, 'whsec_other').signature],
      [body, signed(events[0], NOW - 301_000).signature],
      [body.slice(0, -1), signature],
      [JSON.stringify(events[0]), signature],
      [body, `${time},${v1.replace('v1', 'v0')}`],
      [body, `${time}, ${v1}`],
      [gzipSync(body), signature],
      ['{"id":'.padEnd(1_000_000, ' '), signature],
      ['', signature],
    ];
    for (const [bytes, header] of spoiled) {
      const answer = await send(bytes, header);
      expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_signature']);
    }
    expect((await send(Buffer.alloc(1_048_577, ' '), signature)).status).toBe(413);
    expect((await send(body, 'x'.repeat(4_097))).status).toBe(400);
    expect((await send(Buffer.from('no gzip'), signature, { 'content-encoding': 'gzip' })).status).toBe(400);
    expect(await planIn()).toEqual(['free', null]);
    expect((await host.ports.billing.billing(MINE))?.version).toBe(2);
  });

  it('may compress what Stripe signed: the bytes inside are what counts', async () => {
    const { events } = await buy();
    const { body, signature } = signed(events[0], NOW);
    const answer = await send(gzipSync(body), signature, { 'content-encoding': 'gzip' });
    expect(bodyOf(takeBillingEvent, answer).result).toBe('applied');
  });

  it('gets no page of ours that leads elsewhere', async () => {
    for (const url of [
      'https://evil.example/',
      `${PAGE}.evil.example/`,
      `${PAGE}@evil.example/`,
      'https://user@app.example/',
      'http://app.example/',
      'https://app.example:444/',
      '//evil.example',
      '/billing',
      'https:evil.example',
      'https:\\\\evil.example',
      'https://app.example\u3002evil.example/',
      'javascript:alert(1)',
      'data:text/html,x',
      'blob:https://app.example/x',
    ]) {
      for (const [path, field, body] of [
        ['checkout', 'success_url', { plan: 'growth', success_url: url }],
        ['checkout', 'cancel_url', { plan: 'growth', success_url: SUCCESS, cancel_url: url }],
        ['portal', 'return_url', { return_url: url }],
      ] as const) {
        const answer = await post(path, body);
        expect([answer.status, answer.body], url).toMatchObject([
          400,
          { code: 'invalid_request', details: [{ path: field }] },
        ]);
      }
    }
    expect(stripe.asked).toEqual([]);
    // What was looked at is what is sent on, however it was written.
    const odd = 'https:\\app.example\\a/../b\t?x={CHECKOUT_SESSION_ID}';
    expect((await post('checkout', { plan: 'growth', success_url: odd })).status).toBe(200);
    expect(stripe.asked.at(-1)?.form.success_url).toBe(`${PAGE}/b?x={CHECKOUT_SESSION_ID}`);
  });
});

describe('a checkout', () => {
  it('closes the one before, so that nobody pays twice', async () => {
    await checkout();
    await checkout('scale');
    const [first = '', second = ''] = opened();
    expect(() => stripe.pay(first)).toThrow('expired');
    stripe.pay(second);
    // Stripe's news has not come yet: it is asked.
    expect(codeOf(await checkout('scale'))).toBe('plan_active');
    expect(await planIn()).toEqual(['scale', 'active']);
  });

  it('that many ask for at once is open once, for one customer', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => checkout()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(stripe.customers.size).toBe(1);
    const open = [...stripe.sessions.values()].filter(({ status }) => status === 'open');
    expect(open.map(({ id }) => id)).toEqual([(await host.ports.billing.billing(MINE))?.checkoutId]);
  });

  it('is the same one for the same Idempotency-Key', async () => {
    const asked = {
      method: 'POST',
      token: tokenOf('mine'),
      headers: { 'idempotency-key': 'k1' },
      body: { plan: 'growth', success_url: SUCCESS },
    };
    const [one, same] = [
      await host.call('/v1/billing/checkout', asked),
      await host.call('/v1/billing/checkout', asked),
    ];
    expect([same.text, stripe.sessions.size]).toEqual([one.text, 1]);
  });

  it('makes another customer where Stripe has lost the one we know', async () => {
    await checkout();
    const [lost = ''] = [...stripe.customers.keys()];
    stripe.customers.delete(lost);
    expect(codeOf(await post('portal', {}))).toBe('billing_customer_missing');
    const { events } = await buy();
    for (const event of events) await tell(event);
    expect(await planIn()).toEqual(['growth', 'active']);
    expect((await host.ports.billing.billing(MINE))?.customerId).not.toBe(lost);
    const late = stripe.event('customer.subscription.deleted', { object: 'subscription', customer: lost });
    expect(await tell(late)).toBe('ignored');
  });

  it('is not opened at another price than the plan says', async () => {
    const [growth] = stripe.state.prices;
    for (const wrong of [
      { unit_amount: 9_900 },
      { currency: 'eur' },
      { interval: 'year' },
      { lookup_key: 'x' },
    ]) {
      if (growth === undefined) throw new Error('no price');
      stripe.state.prices = [{ ...growth, ...wrong }];
      const answer = await checkout();
      expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([
        503,
        undefined,
        expect.objectContaining({
          code: 'billing_not_configured',
          details: [{ path: 'millrace_growth_monthly', message: expect.stringContaining('49 USD') }],
        }),
      ]);
    }
    expect(stripe.sessions.size).toBe(0);
  });

  it.each([
    [{ success_url: SUCCESS }, 'plan'],
    [{ plan: 'free', success_url: SUCCESS }, 'plan'],
    [{ plan: '__proto__', success_url: SUCCESS }, 'plan'],
    [{ plan: 'growth' }, 'success_url'],
    [{ plan: 'growth', success_url: `${PAGE}/${'x'.repeat(2_000)}` }, 'success_url'],
    [{ plan: 'growth', success_url: SUCCESS, price: 'price_1' }, 'price'],
    [{ plan: 'growth', success_url: SUCCESS, cancel_url: null }, 'cancel_url'],
  ])('is refused for %j', async (body, path) => {
    const answer = await post('checkout', body);
    expect([answer.status, answer.body]).toMatchObject([400, { details: [{ path }] }]);
  });

  it('tells a failure of Stripe from one of ours: 503, to be repeated, and nothing kept', async () => {
    stripe.state.fault = ({ path }) => (path === '/v1/customers' ? 429 : undefined);
    const answer = await checkout();
    expect([answer.status, codeOf(answer), answer.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
    expect(await host.ports.billing.billing(MINE)).toBeNull();
  });
});

describe('usage', () => {
  const slot = (startMs: number, events: number, delivered = 0) =>
    host.counters.write({
      key: { merchantId: MINE, grain: 'minute', startMs },
      version: 1,
      counters: {
        ...EMPTY_COUNTERS,
        events,
        bots: 5,
        deliveries: { meta: { Purchase: { DELIVERED: delivered, FAILED: 1 } } },
      },
    });

  it('is what the counters say, day by day, in the month that runs', async () => {
    await slot(Date.UTC(2026, 9, 31, 23, 59), 1_000);
    await slot(Date.UTC(2026, 10, 1), 70_000, 60);
    await slot(Date.UTC(2026, 10, 20, 12, 34), 40_000, 30);
    const { period, usage: used, cost, plan } = await usage();
    expect(period).toEqual({ start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' });
    expect([used.events, used.delivered, used.undelivered]).toEqual([110_000, 90, 2]);
    expect([used.remaining_events, used.overage_events, plan.id]).toEqual([0, 10_000, 'free']);
    // Shown, and not charged to somebody who has no subscription.
    expect(cost).toEqual({ currency: 'USD', base: 0, overage: 0, total: 0 });
    expect(used.days).toHaveLength(20);
    expect([used.days[0], used.days[1], used.days[19]]).toEqual([
      { date: '2026-11-01', events: 70_000, delivered: 60, undelivered: 1 },
      { date: '2026-11-02', events: 0, delivered: 0, undelivered: 0 },
      { date: '2026-11-20', events: 40_000, delivered: 30, undelivered: 1 },
    ]);
  });

  it('is of the period that is paid for, and costs what the plan says', async () => {
    await slot(NOW - 60_000 - (NOW % 60_000), 500_000);
    const { events } = await buy();
    for (const event of events) await tell(event);
    host.clock.advance(DAY_MS);
    await slot(NOW + DAY_MS - (NOW % 60_000), 1_000_001);
    const { period, usage: used, cost } = await usage();
    expect([Date.parse(period.start), Date.parse(period.end)]).toEqual([NOW, NOW + 30 * DAY_MS]);
    expect([used.events, used.overage_events]).toEqual([1_000_001, 1]);
    expect(cost).toEqual({ currency: 'USD', base: 49, overage: 0.04, total: 49.04 });
    expect(used.days.map(({ date }) => date)).toEqual(['2026-11-20', '2026-11-21']);
  });

  it('is nobody else’s, and is there for who never sent or bought anything', async () => {
    await slot(NOW - (NOW % 60_000), 9);
    const { usage: used, payment_provider, plan } = await usage('theirs');
    expect([used.events, used.days.length, plan.id]).toEqual([0, 20, 'free']);
    expect(payment_provider).toEqual({ configured: true, has_customer: false, subscription: null });
    expect(codeOf(await post('portal', {}, 'theirs'))).toBe('billing_customer_missing');
  });
});

describe('what was used over the plan', () => {
  const MONTH_MS = 30 * DAY_MS;
  /** Bought, used, and renewed. */
  async function renewed(events: number, reason?: string) {
    const bought = await buy();
    for (const event of bought.events) await tell(event);
    await host.counters.write({
      key: { merchantId: MINE, grain: 'minute', startMs: NOW - (NOW % 60_000) + DAY_MS },
      version: 1,
      counters: { ...EMPTY_COUNTERS, events },
    });
    host.clock.advance(MONTH_MS);
    return stripe.renew(bought.subscription, reason);
  }
  const onInvoice = (id: string) => stripe.invoices.get(id)?.lines.map(({ amount }) => Number(amount));

  it('goes on the invoice of the renewal once, however often and by how many it is asked', async () => {
    const { invoice, event } = await renewed(1_002_001);
    const copies = Array.from({ length: 6 }, () => tell(event));
    expect(await Promise.all(copies)).toContain('applied');
    expect(onInvoice(invoice)).toEqual([12]);
    expect(await tell({ ...event, id: 'evt_again' })).toBe('unchanged');
    expect(onInvoice(invoice)).toEqual([12]);
    expect(stripe.invoices.get(invoice)?.lines[0]?.description).toBe(
      '2001 events over the 1000000 of plan Growth',
    );
    expect((await usage()).usage.events).toBe(0);
  });

  it('is charged once also where the answer was lost and the sum has grown since', async () => {
    const { invoice, event } = await renewed(1_000_001);
    stripe.state.fault = ({ path }) => (path === '/v1/invoiceitems' ? 'lost answer' : undefined);
    const { body, signature } = signed(event, host.clock.now());
    expect((await send(body, signature)).status).toBe(503);
    stripe.state.fault = () => undefined;
    await host.counters.write({
      key: { merchantId: MINE, grain: 'minute', startMs: NOW - (NOW % 60_000) + 2 * DAY_MS },
      version: 1,
      counters: { ...EMPTY_COUNTERS, events: 5_000 },
    });
    await tell(event);
    expect(onInvoice(invoice)).toEqual([4]);
  });

  it.each([
    [1_000_000, 'subscription_cycle', 'draft'],
    [5_000_000, 'subscription_create', 'draft'],
    [5_000_000, 'subscription_cycle', 'paid'],
  ])('is nothing for %i events on an invoice of %s that is %s', async (events, reason, status) => {
    const { invoice, event } = await renewed(events, reason);
    Object.assign(stripe.invoices.get(invoice) ?? {}, { status });
    await tell(event);
    expect(onInvoice(invoice)).toEqual([]);
  });
});

describe('without a provider', () => {
  it('plans and usage are there, and the rest says what is missing', async () => {
    const parts = { clock: host.clock, random: host.ports.random, readSecrets: async () => new Map() };
    host = await openApi(() => ({ payments: paymentsOf({}, parts), namesPayments: namesSecrets({}) }));
    const plans = bodyOf(listBillingPlans, await host.call('/v1/billing/plans'));
    expect(plans.plans.map(({ id, price_per_month }) => [id, price_per_month])).toEqual([
      ['free', 0],
      ['growth', 49],
      ['scale', 199],
    ]);
    expect((await usage()).payment_provider.configured).toBe(false);
    for (const answer of [await checkout(), await post('portal', {}), await send('{}', 't=1,v1=aa')]) {
      expect([answer.status, answer.headers['retry-after'], codeOf(answer)]).toEqual([
        503,
        undefined,
        'billing_not_configured',
      ]);
      expect(answer.text).toContain('stripeSecretKeyParameter');
    }
  });

  it('that takes the key, what it says is told to the owner and written down', async () => {
    const readSecrets = async () =>
      new Map([
        ['/key', 'sk_test_withdrawn'],
        ['/hook', WEBHOOK_SECRET],
      ]);
    const settings = { ...SETTINGS, STRIPE_API_URL: stripe.url };
    host = await openApi(({ clock, random }) => ({
      payments: paymentsOf(settings, { clock, random, readSecrets }),
    }));
    const answer = await checkout();
    expect([answer.status, codeOf(answer)]).toEqual([503, 'billing_not_configured']);
    expect(answer.text).toContain('StripeAuthenticationError');
    expect(JSON.stringify([answer.text, host.reports.map(({ error }) => String(error))])).not.toContain(
      'sk_test',
    );
    expect(host.reports).toHaveLength(1);
  });
});
