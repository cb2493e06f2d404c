// Goal: each request to Stripe is made once and ends; Stripe's answers are distinguished. Method: Stripe's own library
// against a server that speaks its protocol and records what it receives.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createSeededRandom } from '#test/support/memory/random.ts';
import { type FakeStripe, SECRET_KEY, startStripe, WEBHOOK_SECRET } from '#test/support/stripe/fake.ts';
import { Outage } from '../../core/work/outage.ts';
import { ProviderRefused } from '../../events/ports/payment-provider.ts';
import { createStripePayments } from './payment-provider.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
let stripe: FakeStripe;
beforeEach(async () => {
  stripe = await startStripe(() => NOW);
});
afterEach(() => stripe.close());

const provider = (secretKey = SECRET_KEY) =>
  createStripePayments(
    { secretKey, webhookSecret: WEBHOOK_SECRET, apiUrl: stripe.url },
    { clock: createManualClock(NOW), random: createSeededRandom('stripe') },
  );
const checkout = (customerId: string) => ({
  merchantId: 'm1',
  customerId,
  priceId: 'price_growth',
  successUrl: 'https://app.example/ok?s={CHECKOUT_SESSION_ID}',
});

describe('payments by Stripe', () => {
  it('make one customer for a key, and sell to it', async () => {
    const payments = provider();
    const [one, same] = await Promise.all([
      payments.createCustomer('m1', 'k'),
      payments.createCustomer('m1', 'k'),
    ]);
    expect([one, stripe.customers.size]).toEqual([same, 1]);
    const opened = await payments.openCheckout(checkout(one));
    const { subscription } = stripe.pay(opened?.id ?? '');
    expect(await payments.subscriptions(one)).toEqual([
      {
        id: subscription,
        itemId: `si_${subscription}`,
        status: 'active',
        lookupKey: 'millrace_growth_monthly',
        periodStartMs: NOW,
        periodEndMs: NOW + 30 * 86_400_000,
        cancelAtMs: null,
        createdAtMs: NOW,
      },
    ]);
    stripe.change(subscription, { cancelAtPeriodEnd: true });
    expect((await payments.subscriptions(one))?.[0]?.cancelAtMs).toBe(NOW + 30 * 86_400_000);
    expect(stripe.asked.find(({ path }) => path.endsWith('/sessions'))?.form).toEqual({
      mode: 'subscription',
      customer: one,
      client_reference_id: 'm1',
      'line_items[0][price]': 'price_growth',
      'line_items[0][quantity]': '1',
      success_url: 'https://app.example/ok?s={CHECKOUT_SESSION_ID}',
      'subscription_data[metadata][merchant_id]': 'm1',
    });
  });

  it('read a price as it is sold', async () => {
    const payments = provider();
    expect(await payments.price('millrace_growth_monthly')).toEqual({
      id: 'price_growth',
      monthlyMinor: 4_900,
      currency: 'USD',
    });
    expect(await payments.price('nothing')).toBeNull();
    stripe.state.prices = [{ id: 'p', lookup_key: 'yearly', unit_amount: 1, interval: 'year' }];
    expect((await payments.price('yearly'))?.monthlyMinor).toBeNull();
  });

  it('repeat a request whose answer was lost under its key, so that it is done once', async () => {
    const payments = provider();
    const customer = await payments.createCustomer('m1', 'k');
    let lost = 0;
    stripe.state.fault = () => (lost++ < 2 ? 'lost answer' : undefined);
    await payments.openCheckout(checkout(customer));
    expect(stripe.sessions.size).toBe(1);
    const keys = stripe.asked.slice(1).map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size, keys[0]]).toEqual([3, 1, expect.stringMatching(/^[\w-]{36}$/)]);
  });

  it.each([
    ['reset', 3],
    [500, 3],
    // Stripe says when it may be repeated; else it may not.
    [429, 1],
  ] as const)('are away at %s, after %i tries', async (fault, tries) => {
    stripe.state.fault = () => fault;
    await expect(provider().price('x')).rejects.toThrow(Outage);
    expect(stripe.asked).toHaveLength(tries);
  });

  it('say that a key is not taken, without saying which', async () => {
    const asked = provider('sk_test_wrong').price('x');
    await expect(asked).rejects.toThrow(ProviderRefused);
    await expect(asked).rejects.not.toThrow(/sk_test/);
    expect(stripe.asked).toHaveLength(1);
  });

  it('tell a customer that is gone from everything else that may be wrong', async () => {
    const payments = provider();
    expect(await payments.subscriptions('cus_gone')).toBeNull();
    expect(await payments.openCheckout(checkout('cus_gone'))).toBeNull();
    expect(await payments.openPortal({ customerId: 'cus_gone' })).toBeNull();
    const customerId = await payments.createCustomer('m1', 'k');
    const other = { ...checkout(customerId), priceId: 'price_gone' };
    await expect(payments.openCheckout(other)).rejects.toThrow(ProviderRefused);
  });

  it('close a checkout, and leave alone one that is paid, closed or unknown', async () => {
    const payments = provider();
    const opened = await payments.openCheckout(checkout(await payments.createCustomer('m1', 'k')));
    await payments.closeCheckout(opened?.id ?? '');
    expect(() => stripe.pay(opened?.id ?? '')).toThrow('expired');
    await payments.closeCheckout(opened?.id ?? '');
    await payments.closeCheckout('cs_unknown');
  });

  it('tell Stripe nothing about this machine', async () => {
    await provider().price('x');
    await provider().price('x');
    for (const { headers } of stripe.asked) expect(headers).not.toHaveProperty('x-stripe-client-telemetry');
  });
});
