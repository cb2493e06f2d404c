// A page on which a plan is paid for. Guarantees: a merchant has one customer and one open checkout at a time, whoever asks at
// once, and no second subscription beside one that lives: its change is confirmed in the portal instead; nothing is sold at
// another price than the plan's.
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { BILLING_CURRENCY, type PaidPlan } from '#lib/events/domain/billing/plans.ts';
import { type BillingRecord, givesPlan, isOver, planOf } from '#lib/events/domain/billing/subscription.ts';
import type { PaymentProvider, ProviderSubscription } from '#lib/events/ports/payment-provider.ts';
import type { ApiPorts } from '../ports.ts';
import { followCustomer } from './follow-customer.ts';

type Ports = Pick<ApiPorts, 'billing' | 'clock'>;

export interface CheckoutAsked {
  readonly merchantId: string;
  readonly plan: PaidPlan;
  readonly successUrl: string;
  readonly cancelUrl: string | undefined;
}

export type Opened =
  | { readonly kind: 'checkout' | 'portal'; readonly url: string }
  | { readonly failure: 'plan_active' }
  | { readonly missing: readonly { readonly path: string; readonly message: string }[] };

export async function openCheckout(
  asked: CheckoutAsked,
  payments: PaymentProvider,
  ports: Ports,
): Promise<Opened> {
  const { plan, merchantId, successUrl, cancelUrl } = asked;
  const price = await payments.price(plan.lookupKey);
  if (price?.monthlyMinor !== plan.priceMinor || price.currency !== BILLING_CURRENCY)
    return { missing: [priceWanted(plan)] };
  return await retryConflicts({ what: 'a checkout' }, async () => {
    const { record, subscriptions } = await customerOf(merchantId, payments, ports);
    const living = livingOf(record, subscriptions);
    if (living !== null) {
      if (givesPlan(living) && planOf(living).id === plan.id && living.cancelAtMs === null)
        return { failure: 'plan_active' };
      const change = { subscriptionId: living.id, itemId: living.itemId, priceId: price.id };
      const isNew = planOf(living).id !== plan.id && givesPlan(living);
      const url = await payments.openPortal({
        customerId: record.customerId,
        returnUrl: successUrl,
        // What waits for a payment, or is to end, is seen to in the portal itself.
        change: isNew ? change : undefined,
      });
      return url === null ? CONFLICT : { kind: 'portal' as const, url };
    }
    if (record.checkoutId !== null) await payments.closeCheckout(record.checkoutId);
    const { customerId } = record;
    const opened = await payments.openCheckout({
      merchantId,
      customerId,
      priceId: price.id,
      successUrl,
      cancelUrl,
    });
    // Gone since it was looked at.
    if (opened === null) return CONFLICT;
    const next = {
      ...record,
      version: record.version + 1,
      checkoutId: opened.id,
      updatedAtMs: ports.clock.now(),
    };
    if (await ports.billing.writeBilling(next)) return { kind: 'checkout' as const, url: opened.url };
    // Somebody else opened one: there must not be two to pay at.
    await payments.closeCheckout(opened.id);
    return CONFLICT;
  });
}

/** The merchant's customer as it is now, made where there is none. */
async function customerOf(
  merchantId: string,
  payments: PaymentProvider,
  ports: Ports,
): Promise<{ record: BillingRecord; subscriptions: readonly ProviderSubscription[] }> {
  return await retryConflicts({ what: 'a customer' }, async () => {
    const followed = await followCustomer(merchantId, payments, ports);
    if (followed !== null && followed.subscriptions !== null)
      return { record: followed.record, subscriptions: followed.subscriptions };
    const version = followed?.record.version ?? 0;
    // Two who find none at once make the same one.
    const customerId = await payments.createCustomer(merchantId, `customer-${merchantId}-${version}`);
    // Before the record: who hears of the customer must find the merchant.
    await ports.billing.putCustomer(customerId, merchantId);
    const record: BillingRecord = {
      merchantId,
      version: version + 1,
      customerId,
      subscription: null,
      checkoutId: null,
      updatedAtMs: ports.clock.now(),
    };
    return (await ports.billing.writeBilling(record)) ? { record, subscriptions: [] } : CONFLICT;
  });
}

function livingOf(
  { subscription }: BillingRecord,
  subscriptions: readonly ProviderSubscription[],
): ProviderSubscription | null {
  if (subscription === null || isOver(subscription)) return null;
  return subscriptions.find(({ id }) => id === subscription.id) ?? null;
}

const priceWanted = ({ name, lookupKey, priceMinor }: PaidPlan) => ({
  path: lookupKey,
  message: `Stripe has no active price with this lookup key that is ${priceMinor / 100} ${BILLING_CURRENCY} a month, as plan ${name} is`,
});
