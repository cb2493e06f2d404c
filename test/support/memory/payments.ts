// A payment provider in memory, for tests that are about something else: it sells, nobody ever pays, and it knows its own
// signature only. What Stripe does is in test/support/stripe.
import { PAID_PLAN_IDS, paidPlan } from '#lib/events/domain/billing/plans.ts';
import type { PaymentProvider } from '#lib/events/ports/payment-provider.ts';

export const MEMORY_SIGNATURE = 'memory';

export function createMemoryPayments(): PaymentProvider {
  const customers = new Map<string, string>();
  let opened = 0;
  return {
    createCustomer: async (_merchantId, onceKey) => {
      const customer = customers.get(onceKey) ?? `cus_${customers.size + 1}`;
      customers.set(onceKey, customer);
      return customer;
    },
    subscriptions: async (customerId) => ([...customers.values()].includes(customerId) ? [] : null),
    price: async (lookupKey) => {
      const id = PAID_PLAN_IDS.find((plan) => paidPlan(plan).lookupKey === lookupKey);
      if (id === undefined) return null;
      return { id: `price_${id}`, monthlyMinor: paidPlan(id).priceMinor, currency: 'USD' };
    },
    openCheckout: async () => {
      opened += 1;
      return { id: `cs_${opened}`, url: `https://pay.test/${opened}` };
    },
    closeCheckout: async () => undefined,
    openPortal: async ({ customerId }) => `https://pay.test/${customerId}`,
    openInvoice: async () => null,
    addOverage: async () => undefined,
    readEvent: (_bytes, signature) =>
      signature === MEMORY_SIGNATURE ? { id: 'evt_1', type: 'ping', customerId: null } : null,
  };
}
