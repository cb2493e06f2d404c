// A merchant's billing for tests: the API on memory ports, Stripe's own library, and a server that speaks Stripe's protocol.
import { afterEach, beforeEach, expect } from 'vitest';
import { getBillingUsage, takeBillingEvent } from '#lib/events/routes/billing.ts';
import { namesSecrets, type PaymentSettings, paymentsOf } from '#services/events/api/billing/payments.ts';
import { type ApiHost, bodyOf, NOW, openApi, PAGE } from '../../contract/api-host.ts';
import {
  type FakeStripe,
  SECRET_KEY,
  type StripeEvent,
  signed,
  startStripe,
  WEBHOOK_SECRET,
} from './fake.ts';

const SETTINGS = { STRIPE_SECRET_KEY_PARAMETER: '/key', STRIPE_WEBHOOK_SECRET_PARAMETER: '/hook' };
export const SUCCESS = `${PAGE}/billing?session={CHECKOUT_SESSION_ID}`;
type Owner = 'mine' | 'theirs';

async function openBilling(
  stripe: FakeStripe,
  { settings = SETTINGS, key = SECRET_KEY }: { readonly settings?: PaymentSettings; readonly key?: string },
) {
  const host: ApiHost = await openApi(({ clock, random }) => ({
    payments: paymentsOf(
      { ...settings, STRIPE_API_URL: stripe.url },
      {
        clock,
        random,
        readSecrets: async () => new Map(Object.entries({ '/key': key, '/hook': WEBHOOK_SECRET })),
      },
    ),
    namesPayments: namesSecrets(settings),
  }));
  const tokenOf = (owner: Owner) => host.session('owner', owner);
  const post = async (path: string, body: unknown, owner: Owner = 'mine') =>
    await host.call(`/v1/billing/${path}`, { method: 'POST', token: tokenOf(owner), body });
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
  const tell = async (event: StripeEvent): Promise<string> => {
    const { body, signature } = signed(event, host.clock.now());
    return bodyOf(takeBillingEvent, await send(body, signature)).result;
  };
  /** Ids of checkouts, in the order in which they were opened. */
  const opened = (): readonly string[] => [...stripe.sessions.keys()];
  const buy = async (plan = 'growth', owner: Owner = 'mine') => {
    expect((await checkout(plan, owner)).status).toBe(200);
    return stripe.pay(opened().at(-1) ?? '');
  };
  /** Plan and status of its subscription. */
  const planIn = async (owner: Owner = 'mine') => {
    const { plan, payment_provider } = await usage(owner);
    return [plan.id, payment_provider.subscription?.status ?? null];
  };
  return { host, stripe, tokenOf, post, checkout, usage, send, tell, opened, buy, planIn };
}

export type Billing = Awaited<ReturnType<typeof openBilling>>;

/** Call it once in a file: `current` is of the test that runs; `reopen` opens the API with other settings. */
export function useBilling() {
  let stripe: FakeStripe;
  let billing: Billing | undefined;
  beforeEach(async () => {
    stripe = await startStripe(() => billing?.host.clock.now() ?? NOW);
    billing = await openBilling(stripe, {});
  });
  afterEach(() => stripe.close());
  return {
    current: (): Billing => {
      if (billing === undefined) throw new Error('only in a test');
      return billing;
    },
    reopen: async (changes: Parameters<typeof openBilling>[1]): Promise<Billing> =>
      await openBilling(stripe, changes),
  };
}
