// Payments by Stripe (https://docs.stripe.com/api, read 2026-11-22), at the version of the API that the pinned library speaks.
// Guarantees: a request ends within TIMEOUT_MS and is tried three times at most, under one idempotency key; what Stripe cannot
// answer now is an Outage, what it says no to a ProviderRefused; no key and nothing of what was sent gets into an error.
import Stripe from 'stripe';
import type { Clock, Random } from '../../core/ports/clock.ts';
import { Outage } from '../../core/work/outage.ts';
import { BILLING_CURRENCY, planOfPrice } from '../../events/domain/billing/plans.ts';
import { SUBSCRIPTION_STATUSES } from '../../events/domain/billing/subscription.ts';
import {
  type PaymentProvider,
  type Price,
  ProviderRefused,
  type ProviderSubscription,
} from '../../events/ports/payment-provider.ts';
import { readSignedEvent } from './signed-event.ts';

export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Instead of Stripe's own address. */
  readonly apiUrl?: string | undefined;
}

const TIMEOUT_MS = 5_000;
const RETRIES_MAX = 2;
/** The most Stripe gives at once. */
const SUBSCRIPTIONS_MAX = 100;
/** In the metadata of what we put on an invoice. */
const OVERAGE_MARK = 'millrace_overage_of';

export function createStripePayments(
  settings: StripeSettings,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): PaymentProvider {
  const stripe = new Stripe(settings.secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES_MAX,
    telemetry: false,
    ...addressOf(settings.apiUrl),
  });
  /** The library repeats a request under the key that it is given. */
  const once: Once = () => ({ idempotencyKey: random.uuidv7(clock.now()) });
  return {
    ...customersOf(stripe),
    ...pagesOf(stripe, once),
    ...invoicesOf(stripe),
    readEvent: (bytes, signature, nowMs) => readSignedEvent(bytes, signature, settings.webhookSecret, nowMs),
  };
}

/** The key of a request that may be sent to Stripe more than once. */
type Once = () => { readonly idempotencyKey: string };

function customersOf(stripe: Stripe): Pick<PaymentProvider, 'createCustomer' | 'subscriptions' | 'price'> {
  return {
    async createCustomer(merchantId, onceKey) {
      // Nothing that may change: the key must not be used for another request.
      const customer = await asked(
        stripe.customers.create({ metadata: { merchant_id: merchantId } }, { idempotencyKey: onceKey }),
      );
      return customer.id;
    },

    async subscriptions(customerId) {
      const list = await ofCustomer(
        stripe.subscriptions.list({ customer: customerId, status: 'all', limit: SUBSCRIPTIONS_MAX }),
      );
      if (list === null) return null;
      return list.data.flatMap((subscription) => subscriptionOf(subscription) ?? []);
    },

    async price(lookupKey) {
      const list = await asked(stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 }));
      const [price] = list.data;
      return price === undefined ? null : priceOf(price);
    },
  };
}

function pagesOf(
  stripe: Stripe,
  once: Once,
): Pick<PaymentProvider, 'openCheckout' | 'closeCheckout' | 'openPortal'> {
  return {
    async openCheckout({ merchantId, customerId, priceId, successUrl, cancelUrl }) {
      const session = await ofCustomer(
        stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            customer: customerId,
            client_reference_id: merchantId,
            line_items: [{ price: priceId, quantity: 1 }],
            success_url: successUrl,
            ...(cancelUrl === undefined ? {} : { cancel_url: cancelUrl }),
            subscription_data: { metadata: { merchant_id: merchantId } },
          },
          once(),
        ),
      );
      if (session === null) return null;
      if (session.url === null) throw new Outage('Stripe made a checkout without an address');
      return { id: session.id, url: session.url };
    },

    async closeCheckout(checkoutId) {
      try {
        await asked(stripe.checkout.sessions.expire(checkoutId, {}, once()));
      } catch (error) {
        // Paid, expired or unknown: there is nothing to close.
        if (!(error instanceof RequestRefused)) throw error;
      }
    },

    async openPortal({ customerId, returnUrl, change }) {
      const session = await ofCustomer(
        stripe.billingPortal.sessions.create(
          {
            customer: customerId,
            ...(returnUrl === undefined ? {} : { return_url: returnUrl }),
            ...(change === undefined ? {} : { flow_data: confirmation(change, returnUrl) }),
          },
          once(),
        ),
      );
      return session?.url ?? null;
    },
  };
}

function invoicesOf(stripe: Stripe): Pick<PaymentProvider, 'openInvoice' | 'addOverage'> {
  return {
    async openInvoice(invoiceId) {
      const invoice = await asked(stripe.invoices.retrieve(invoiceId));
      const customerId = typeof invoice.customer === 'string' ? invoice.customer : invoice.customer?.id;
      if (invoice.status !== 'draft' || invoice.billing_reason !== 'subscription_cycle') return null;
      if (customerId === undefined) return null;
      return {
        customerId,
        periodStartMs: invoice.period_start * 1_000,
        periodEndMs: invoice.period_end * 1_000,
        hasOverage: invoice.lines.data.some(({ metadata }) => metadata[OVERAGE_MARK] !== undefined),
      };
    },

    async addOverage({ invoiceId, customerId, amountMinor, description }) {
      const item = {
        invoice: invoiceId,
        customer: customerId,
        amount: amountMinor,
        currency: BILLING_CURRENCY.toLowerCase(),
        description,
        metadata: { [OVERAGE_MARK]: invoiceId },
      };
      const added = stripe.invoiceItems.create(item, { idempotencyKey: `overage-${invoiceId}` });
      await asked(
        added.catch((error: unknown) => {
          // Asked before with a sum of a moment earlier: that one counts.
          if (!(error instanceof Stripe.errors.StripeIdempotencyError)) throw error;
        }),
      );
    },
  };
}

function addressOf(apiUrl: string | undefined): Stripe.StripeConfig {
  if (apiUrl === undefined) return {};
  const { protocol, hostname, port } = new URL(apiUrl);
  return {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
  };
}

function confirmation(
  change: { readonly subscriptionId: string; readonly itemId: string; readonly priceId: string },
  returnUrl: string | undefined,
): Stripe.BillingPortal.SessionCreateParams.FlowData {
  return {
    type: 'subscription_update_confirm',
    subscription_update_confirm: {
      subscription: change.subscriptionId,
      items: [{ id: change.itemId, price: change.priceId, quantity: 1 }],
    },
    ...(returnUrl === undefined
      ? {}
      : { after_completion: { type: 'redirect', redirect: { return_url: returnUrl } } }),
  };
}

/** Null where it has no item that could be read: nothing is known of its period then. */
function subscriptionOf(subscription: Stripe.Subscription): ProviderSubscription | null {
  const items = subscription.items.data;
  const item = items.find(({ price }) => planOfPrice(price.lookup_key) !== null) ?? items[0];
  const status = SUBSCRIPTION_STATUSES.find((one) => one === subscription.status);
  if (item === undefined || status === undefined) return null;
  const periodEndMs = item.current_period_end * 1_000;
  const cancelAtMs = subscription.cancel_at === null ? null : subscription.cancel_at * 1_000;
  return {
    id: subscription.id,
    itemId: item.id,
    status,
    lookupKey: item.price.lookup_key,
    periodStartMs: item.current_period_start * 1_000,
    periodEndMs,
    cancelAtMs: cancelAtMs ?? (subscription.cancel_at_period_end ? periodEndMs : null),
    createdAtMs: subscription.created * 1_000,
  };
}

function priceOf({ id, unit_amount, currency, recurring, billing_scheme }: Stripe.Price): Price {
  const isMonthly =
    recurring?.interval === 'month' && recurring.interval_count === 1 && recurring.usage_type === 'licensed';
  return {
    id,
    monthlyMinor: isMonthly && billing_scheme === 'per_unit' ? unit_amount : null,
    currency: (currency || BILLING_CURRENCY).toUpperCase(),
  };
}

/** No to a request that was well formed: what it names is not there, or not in a state for it. */
class RequestRefused extends ProviderRefused {
  override readonly name = 'RequestRefused';
  /** The parameter that names what is not there. */
  readonly missing: string | undefined;

  constructor(what: string, missing: string | undefined) {
    super(what);
    this.missing = missing;
  }
}

async function asked<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw said(error);
  }
}

/** Null where the customer is not there. */
async function ofCustomer<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await asked(request);
  } catch (error) {
    if (error instanceof RequestRefused && error.missing === 'customer') return null;
    throw error;
  }
}

/** Without the message and the headers of Stripe's error: both may quote what was sent. */
function said(error: unknown): unknown {
  const { errors } = Stripe;
  if (!(error instanceof errors.StripeError)) return error;
  const what = `Stripe: ${error.type}, ${error.code ?? 'no code'}, ${error.statusCode ?? 'no answer'}, request ${error.requestId ?? 'unknown'}`;
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError)
    return new ProviderRefused(what);
  if (error instanceof errors.StripeInvalidRequestError)
    return new RequestRefused(what, error.code === 'resource_missing' ? error.param : undefined);
  return new Outage(what);
}
