// Goal: Stripe takes every request we make, as its own description of the API has it: names, forms, enumerations. Method: its
// own mock server, which refuses anything else; that it does is tried first.
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createSeededRandom } from '#test/support/memory/random.ts';
import { type StripeMock, startStripeMock, stripeMockRequired } from '#test/support/stripe/mock.ts';
import type { PaymentProvider } from '../../events/ports/payment-provider.ts';
import { createStripePayments } from './payment-provider.ts';

const BUILDING_MS = 300_000;
const started = await startStripeMock();
const isMissing = 'missing' in started;
if ('missing' in started)
  console.warn(`requests to Stripe are not held against its description: ${started.missing}`);

describe.skipIf(isMissing && !stripeMockRequired)('stripe-mock', { timeout: BUILDING_MS }, () => {
  let mock: StripeMock;
  let payments: PaymentProvider;
  beforeAll(() => {
    if ('missing' in started) throw new Error(started.missing);
    mock = started;
    payments = createStripePayments(
      { secretKey: 'sk_test_123', webhookSecret: 'whsec_1', apiUrl: mock.url },
      { clock: createManualClock(Date.UTC(2026, 10, 20)), random: createSeededRandom('mock') },
    );
  });
  afterAll(() => mock?.stop());

  it('refuses what is not in the description', async () => {
    const { hostname, port } = new URL(mock.url);
    const stripe = new Stripe('sk_test_123', {
      host: hostname,
      port,
      protocol: 'http',
      maxNetworkRetries: 0,
    });
    const wrong = { nothing_of_the_kind: '1' } as Stripe.CustomerCreateParams;
    await expect(stripe.customers.create(wrong)).rejects.toThrow('additional properties');
  });

  it('takes customers, checkouts and their end', async () => {
    const customerId = await payments.createCustomer('m1', 'k1');
    expect(customerId).toMatch(/^cus_/);
    const request = {
      merchantId: 'm1',
      customerId,
      priceId: 'price_1',
      successUrl: 'https://app.example/ok?s={CHECKOUT_SESSION_ID}',
    };
    for (const cancelUrl of [undefined, 'https://app.example/'])
      expect((await payments.openCheckout({ ...request, cancelUrl }))?.id).toMatch(/^cs_/);
    await payments.closeCheckout('cs_test_1');
  });

  it('takes the portal, plain and for a change', async () => {
    const change = { subscriptionId: 'sub_1', itemId: 'si_1', priceId: 'price_1' };
    const returnUrl = 'https://app.example/';
    for (const request of [{}, { returnUrl }, { change }, { change, returnUrl }])
      expect(await payments.openPortal({ customerId: 'cus_1', ...request })).toMatch(/^https:/);
  });

  it('takes what goes on an invoice, and shows the invoice', async () => {
    const overage = { invoiceId: 'in_1', customerId: 'cus_1', amountMinor: 4, description: '1 event' };
    await payments.addOverage(overage);
    // The sample is the first invoice of a subscription.
    expect(await payments.openInvoice('in_1')).toBeNull();
  });

  it('answers with subscriptions and prices that are understood', async () => {
    const subscriptions = await payments.subscriptions('cus_1');
    expect(subscriptions?.length).toBeGreaterThan(0);
    for (const one of subscriptions ?? []) {
      expect(one).toMatchObject({
        id: expect.stringMatching(/^sub_/),
        itemId: expect.stringMatching(/^si_/),
      });
      for (const time of [one.periodStartMs, one.periodEndMs, one.createdAtMs])
        expect(Number.isSafeInteger(time)).toBe(true);
    }
    expect(await payments.price('millrace_growth_monthly')).toMatchObject({
      id: expect.stringMatching(/^price_/),
      currency: 'USD',
    });
  });
});
