// Goal: whatever order Stripe's news come in, how often and how many at once, a merchant ends with what is true; nobody else's
// news, signature or address gets anything. Method: as in the tests of the routes.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { takeBillingEvent } from '#lib/events/routes/billing.ts';
import { bodyOf, codeOf, MINE, NOW, PAGE, THEIRS } from '#test/contract/api-host.ts';
import { SUCCESS, useBilling } from '#test/support/stripe/billing.ts';
import { type StripeEvent, signed } from '#test/support/stripe/fake.ts';

const billing = useBilling();

describe('news of Stripe', () => {
  /** Every order of three. */
  const ORDERS = [0, 1, 2].flatMap((a) => [0, 1, 2].flatMap((b) => (a === b ? [] : [[a, b, 3 - a - b]])));

  it.each(ORDERS)('in the order %i %i %i end in what is true', async (...order) => {
    const { stripe, tell, buy, planIn } = billing.current();
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
    const { host, stripe, tell, buy, planIn } = billing.current();
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
    const { stripe, tell, buy, planIn } = billing.current();
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
    const { host, stripe, send, tell, buy } = billing.current();
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
    const { host, tell, buy } = billing.current();
    const { events } = await buy();
    const results = await Promise.all(Array.from({ length: 12 }, () => tell(events[0] as StripeEvent)));
    expect(results.filter((result) => result === 'applied')).toHaveLength(1);
    expect((await host.ports.billing.billing(MINE))?.version).toBe(3);
    const actions = (await host.config.listAudit(MINE, 50)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'billing.change')).toHaveLength(1);
  });

  it('of other types and other people change nothing and ask nobody', async () => {
    const { stripe, tell, buy, planIn } = billing.current();
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
    const { host, tell, buy, planIn } = billing.current();
    const mine = await buy('growth', 'mine');
    await buy('scale', 'theirs');
    for (const event of mine.events) await tell(event);
    expect(await planIn('mine')).toEqual(['growth', 'active']);
    expect(await planIn('theirs')).toEqual(['free', null]);
    expect((await host.ports.billing.billing(THEIRS))?.subscription).toBeNull();
  });
});

describe('whoever is not Stripe', () => {
  it('is told so, and changes nothing', async () => {
    const { host, send, buy, planIn } = billing.current();
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
    const { send, buy } = billing.current();
    const { events } = await buy();
    const { body, signature } = signed(events[0], NOW);
    const answer = await send(gzipSync(body), signature, { 'content-encoding': 'gzip' });
    expect(bodyOf(takeBillingEvent, answer).result).toBe('applied');
  });

  it('gets no page of ours that leads elsewhere', async () => {
    const { stripe, post } = billing.current();
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
        const refused = { code: 'invalid_request', details: [{ path: field }] };
        expect([answer.status, answer.body], url).toMatchObject([400, refused]);
      }
    }
    expect(stripe.asked).toEqual([]);
    // What was looked at is what is sent on, however it was written.
    const odd = 'https:\\app.example\\a/../b\t?x={CHECKOUT_SESSION_ID}';
    expect((await post('checkout', { plan: 'growth', success_url: odd })).status).toBe(200);
    expect(stripe.asked.at(-1)?.form.success_url).toBe(`${PAGE}/b?x={CHECKOUT_SESSION_ID}`);
  });
});
