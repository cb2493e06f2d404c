// A merchant's record follows what the payment provider has now. Guarantees: whatever order news comes in, and however often,
// the record ends as the provider's: news says only that something changed, what it is now is asked for. Each write rests on
// a record that was read before the provider was asked, so an answer that has become old is never written over a newer one.
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import {
  type BillingRecord,
  chooseSubscription,
  type Subscription,
} from '#lib/events/domain/billing/subscription.ts';
import type { PaymentProvider, ProviderSubscription } from '#lib/events/ports/payment-provider.ts';
import type { ApiPorts } from '../ports.ts';

export interface Followed {
  readonly record: BillingRecord;
  /** Null where the provider does not know the customer any more. */
  readonly subscriptions: readonly ProviderSubscription[] | null;
  readonly changed: boolean;
}

/** Null where the merchant is no customer. */
export async function followCustomer(
  merchantId: string,
  payments: Pick<PaymentProvider, 'subscriptions'>,
  { billing, clock }: Pick<ApiPorts, 'billing' | 'clock'>,
): Promise<Followed | null> {
  return await retryConflicts({ what: 'a billing record' }, async () => {
    const record = await billing.billing(merchantId);
    if (record === null) return null;
    const subscriptions = await payments.subscriptions(record.customerId);
    const subscription = kept(chooseSubscription(subscriptions ?? []));
    if (isSame(record.subscription, subscription)) return { record, subscriptions, changed: false };
    const next = { ...record, version: record.version + 1, subscription, updatedAtMs: clock.now() };
    return (await billing.writeBilling(next)) ? { record: next, subscriptions, changed: true } : CONFLICT;
  });
}

function kept(one: ProviderSubscription | null): Subscription | null {
  if (one === null) return null;
  const { itemId: _, ...subscription } = one;
  return subscription;
}

function isSame(a: Subscription | null, b: Subscription | null): boolean {
  if (a === null || b === null) return a === b;
  return (Object.keys(b) as (keyof Subscription)[]).every((name) => a[name] === b[name]);
}
