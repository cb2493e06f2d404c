// Goal: a plan is bought, changed and cancelled as Stripe says, and nobody pays twice or at another price; usage is what the
// counters say. Method: the API on memory ports, Stripe's own library, and a server that speaks Stripe's protocol.
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { AWS_PRICES } from '#lib/events/domain/billing/aws-cost.ts';
import { listBillingPlans, openBillingCheckout, openBillingPortal } from '#lib/events/routes/billing.ts';
import { bodyOf, codeOf, MINE, NOW, PAGE } from '#test/contract/api-host.ts';
import { count } from '#test/contract/stored-rows.ts';
import { SUCCESS, useBilling } from '#test/support/stripe/billing.ts';
import { signed } from '#test/support/stripe/fake.ts';

const billing = useBilling();

/** A plan that is bought, as Stripe's last event says it. */
async function bought() {
  const { buy, tell } = billing.current();
  const purchase = await buy();
  for (const event of purchase.events) await tell(event);
  return purchase;
}

/** Counted in this minute. */
const counted = (startMs: number, counters: Partial<BucketCounters>) =>
  count(billing.current().host.counters, 'minute', startMs, counters);

describe('a plan', () => {
  it('is bought at a checkout, changed and cancelled in the portal, and holds when Stripe says so', async () => {
    const { stripe, post, checkout, usage, tell, opened, buy, planIn } = billing.current();
    const first = bodyOf(openBillingCheckout, await checkout());
    const [session = ''] = opened();
    const url = `https://checkout.stripe.test/${session}`;
    expect(first).toEqual({ success: true, kind: 'checkout', url });
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
    const { stripe, checkout, tell, buy, planIn } = billing.current();
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
    const { host } = billing.current();
    const { events, subscription } = await bought();
    const entries = await host.config.listAudit(MINE, 10);
    expect(entries.map(({ actor, action, subject }) => [actor, action, subject]).sort()).toEqual([
      [`stripe:${events[0]?.id}`, 'billing.change', subscription],
      ['user:mine-owner', 'billing.checkout', 'growth'],
    ]);
  });
});

describe('a checkout', () => {
  it('closes the one before, so that nobody pays twice', async () => {
    const { stripe, checkout, opened, planIn } = billing.current();
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
    const { host, stripe, checkout } = billing.current();
    const answers = await Promise.all(Array.from({ length: 4 }, () => checkout()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(stripe.customers.size).toBe(1);
    const open = [...stripe.sessions.values()].filter(({ status }) => status === 'open');
    expect(open.map(({ id }) => id)).toEqual([(await host.ports.billing.billing(MINE))?.checkoutId]);
  });

  it('is the same one for the same Idempotency-Key', async () => {
    const { host, stripe, tokenOf } = billing.current();
    const body = { plan: 'growth', success_url: SUCCESS };
    const headers = { 'idempotency-key': 'k1' };
    const asked = { method: 'POST', token: tokenOf('mine'), headers, body };
    const ask = () => host.call('/v1/billing/checkout', asked);
    const [one, same] = [await ask(), await ask()];
    expect([same.text, stripe.sessions.size]).toEqual([one.text, 1]);
  });

  it('makes another customer where Stripe has lost the one we know', async () => {
    const { host, stripe, post, checkout, tell, planIn } = billing.current();
    await checkout();
    const [lost = ''] = [...stripe.customers.keys()];
    stripe.customers.delete(lost);
    expect(codeOf(await post('portal', {}))).toBe('billing_customer_missing');
    await bought();
    expect(await planIn()).toEqual(['growth', 'active']);
    expect((await host.ports.billing.billing(MINE))?.customerId).not.toBe(lost);
    const late = stripe.event('customer.subscription.deleted', { object: 'subscription', customer: lost });
    expect(await tell(late)).toBe('ignored');
  });

  it('is not opened at another price than the plan says', async () => {
    const { stripe, checkout } = billing.current();
    const [growth] = stripe.state.prices;
    const [unit_amount, lookup_key] = [9_900, 'x'];
    for (const wrong of [{ unit_amount }, { currency: 'eur' }, { interval: 'year' }, { lookup_key }]) {
      if (growth === undefined) throw new Error('no price');
      stripe.state.prices = [{ ...growth, ...wrong }];
      const answer = await checkout();
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, undefined]);
      expect(codeOf(answer)).toBe('billing_not_configured');
      const details = [{ path: 'millrace_growth_monthly', message: expect.stringContaining('49 USD') }];
      expect(answer.body).toEqual(expect.objectContaining({ details }));
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
    const { post } = billing.current();
    const answer = await post('checkout', body);
    expect([answer.status, answer.body]).toMatchObject([400, { details: [{ path }] }]);
  });

  it('tells a failure of Stripe from one of ours: 503, to be repeated, and nothing kept', async () => {
    const { host, stripe, checkout } = billing.current();
    stripe.state.fault = ({ path }) => (path === '/v1/customers' ? 429 : undefined);
    const answer = await checkout();
    expect([answer.status, codeOf(answer), answer.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
    expect(await host.ports.billing.billing(MINE)).toBeNull();
  });
});

describe('usage', () => {
  const slot = (startMs: number, events: number, delivered = 0) =>
    counted(startMs, {
      events,
      bots: 5,
      deliveries: { meta: { Purchase: { DELIVERED: delivered, FAILED: 1 } } },
    });

  it('is what the counters say, day by day, in the month that runs', async () => {
    const { usage } = billing.current();
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
      { date: '2026-11-01', events: 70_000, replayed_events: 0, delivered: 60, undelivered: 1 },
      { date: '2026-11-02', events: 0, replayed_events: 0, delivered: 0, undelivered: 0 },
      { date: '2026-11-20', events: 40_000, replayed_events: 0, delivered: 30, undelivered: 1 },
    ]);
  });

  it('has replays in it, which cost what events cost, and shows them apart', async () => {
    const { usage } = billing.current();
    await counted(Date.UTC(2026, 10, 1), { events: 60_000, replays: 90_000 });
    const { usage: used } = await usage();
    expect([used.events, used.replayed_events]).toEqual([60_000, 90_000]);
    expect([used.remaining_events, used.overage_events]).toEqual([0, 50_000]);
    expect(used.days[0]).toMatchObject({ events: 60_000, replayed_events: 90_000 });
  });

  it('is of the period that is paid for, and costs what the plan says', async () => {
    const { host, usage } = billing.current();
    await slot(NOW - 60_000 - (NOW % 60_000), 500_000);
    await bought();
    host.clock.advance(DAY_MS);
    await slot(NOW + DAY_MS - (NOW % 60_000), 1_000_001);
    const { period, usage: used, cost } = await usage();
    expect([Date.parse(period.start), Date.parse(period.end)]).toEqual([NOW, NOW + 30 * DAY_MS]);
    expect([used.events, used.overage_events]).toEqual([1_000_001, 1]);
    expect(cost).toEqual({ currency: 'USD', base: 49, overage: 0.04, total: 49.04 });
    expect(used.days.map(({ date }) => date)).toEqual(['2026-11-20', '2026-11-21']);
  });

  it('says what AWS takes for it, by counted units and the prices of a day', async () => {
    const { usage } = billing.current();
    expect((await usage()).aws_cost).toEqual({
      currency: 'USD',
      total: 0,
      parts: { writes: 0, reads: 0, queues: 0, functions: 0, storage: 0 },
      stored_events: 0,
      region: AWS_PRICES.region,
      prices_as_of: AWS_PRICES.asOf,
    });
    await slot(Date.UTC(2026, 10, 1), 999_995, 4_499_999);
    await slot(Date.UTC(2026, 10, 2), 999_995, 4_499_999);
    const { aws_cost: cost } = await usage();
    expect(cost.stored_events).toBe(2_000_000);
    // 9,000,000 deliveries of 2,000,000 events: between three platforms and twelve, at less than five a second.
    expect(cost.parts.writes).toBeCloseTo(2 * (5.45 + (6.55 - 5.45) / 6) * 0.625, 4);
    expect(cost.parts.storage).toBeCloseTo(2 * 1.5 * 0.45, 4);
    const parts = Object.values(cost.parts).reduce((sum, dollars) => sum + dollars, 0);
    expect(cost.total).toBeCloseTo(parts, 9);
  });

  it('is nobody else’s, and is there for who never sent or bought anything', async () => {
    const { post, usage } = billing.current();
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
    const { host, stripe } = billing.current();
    const { subscription } = await bought();
    await counted(NOW - (NOW % 60_000) + DAY_MS, { events });
    host.clock.advance(MONTH_MS);
    return stripe.renew(subscription, reason);
  }
  const onInvoice = (id: string) =>
    billing
      .current()
      .stripe.invoices.get(id)
      ?.lines.map(({ amount }) => Number(amount));

  it('goes on the invoice of the renewal once, however often and by how many it is asked', async () => {
    const { stripe, usage, tell } = billing.current();
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
    const { host, stripe, send, tell } = billing.current();
    const { invoice, event } = await renewed(1_000_001);
    stripe.state.fault = ({ path }) => (path === '/v1/invoiceitems' ? 'lost answer' : undefined);
    const { body, signature } = signed(event, host.clock.now());
    expect((await send(body, signature)).status).toBe(503);
    stripe.state.fault = () => undefined;
    await counted(NOW - (NOW % 60_000) + 2 * DAY_MS, { events: 5_000 });
    await tell(event);
    expect(onInvoice(invoice)).toEqual([4]);
  });

  it.each([
    [1_000_000, 'subscription_cycle', 'draft'],
    [5_000_000, 'subscription_create', 'draft'],
    [5_000_000, 'subscription_cycle', 'paid'],
  ])('is nothing for %i events on an invoice of %s that is %s', async (events, reason, status) => {
    const { stripe, tell } = billing.current();
    const { invoice, event } = await renewed(events, reason);
    Object.assign(stripe.invoices.get(invoice) ?? {}, { status });
    await tell(event);
    expect(onInvoice(invoice)).toEqual([]);
  });
});

describe('without a provider', () => {
  it('plans and usage are there, and the rest says what is missing', async () => {
    const { host, usage, checkout, post, send } = await billing.reopen({ settings: {} });
    const plans = bodyOf(listBillingPlans, await host.call('/v1/billing/plans'));
    const prices = plans.plans.map(({ id, price_per_month }) => `${id} ${price_per_month}`);
    expect(prices).toEqual(['free 0', 'growth 49', 'scale 199']);
    expect((await usage()).payment_provider.configured).toBe(false);
    for (const answer of [await checkout(), await post('portal', {}), await send('{}', 't=1,v1=aa')]) {
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, undefined]);
      expect(codeOf(answer)).toBe('billing_not_configured');
      expect(answer.text).toContain('stripeSecretKeyParameter');
    }
  });

  it('that takes the key, what it says is told to the owner and written down', async () => {
    const { host, checkout } = await billing.reopen({ key: 'sk_test_withdrawn' });
    const answer = await checkout();
    expect([answer.status, codeOf(answer)]).toEqual([503, 'billing_not_configured']);
    expect(answer.text).toContain('StripeAuthenticationError');
    const told = [answer.text, ...host.reports.map(({ error }) => String(error))];
    expect(told.join()).not.toContain('sk_test');
    expect(host.reports).toHaveLength(1);
  });
});
