// Billing: plans and usage always, payments where a provider is configured. Ingestion knows nothing of it: a plan that is used
// up, unpaid or gone never keeps an event out.

import { audit } from '#lib/core/audit-log/audit.ts';
import type { Failure, Handlers } from '#lib/core/http/handler.ts';
import { PLANS, paidPlan } from '#lib/events/domain/billing/plans.ts';
import {
  type PaymentProvider,
  type PaymentsMissing,
  ProviderRefused,
} from '#lib/events/ports/payment-provider.ts';
import type { BILLING_ROUTES } from '#lib/events/routes/billing.ts';
import { openCheckout } from '../billing/open-checkout.ts';
import { returnUrl } from '../billing/return-url.ts';
import { takeEvent } from '../billing/take-event.ts';
import { planView, usageOf } from '../billing/usage.ts';
import type { ApiPorts } from '../ports.ts';

type NotConfigured = Failure<'billing_not_configured'>;

const notConfigured = ({ missing }: PaymentsMissing): NotConfigured => ({
  failure: 'billing_not_configured',
  details: missing,
});

export function billingHandlers(ports: ApiPorts): Handlers<(typeof BILLING_ROUTES)[number]> {
  /** With the provider, where there is one that takes what we ask of it. */
  const paying = async <T>(work: (payments: PaymentProvider) => Promise<T>): Promise<T | NotConfigured> => {
    const payments = await ports.payments();
    if ('missing' in payments) return notConfigured(payments);
    try {
      return await work(payments);
    } catch (error) {
      if (!(error instanceof ProviderRefused)) throw error;
      ports.report('the payment provider refused a request', error);
      return notConfigured({ missing: [{ path: 'stripe', message: error.message }] });
    }
  };
  return {
    listBillingPlans: async () => ({ status: 200, body: { success: true, plans: PLANS.map(planView) } }),

    async getBillingUsage({ caller }) {
      return { status: 200, body: await usageOf(caller.merchantId, ports.namesPayments, ports) };
    },

    openBillingCheckout: ({ caller, body }) =>
      paying(async (payments) => {
        const success = returnUrl('success_url', body.success_url, ports.origins);
        const cancel = returnUrl('cancel_url', body.cancel_url, ports.origins);
        if ('details' in success) return { failure: 'invalid_request', details: success.details };
        if ('details' in cancel) return { failure: 'invalid_request', details: cancel.details };
        const asked = {
          merchantId: caller.merchantId,
          plan: paidPlan(body.plan),
          successUrl: success.url ?? body.success_url,
          cancelUrl: cancel.url,
        };
        const opened = await openCheckout(asked, payments, ports);
        if ('missing' in opened) return notConfigured(opened);
        if ('failure' in opened) return opened;
        await audit(caller, 'billing.checkout', body.plan, ports);
        return { status: 200, body: { success: true, ...opened } };
      }),

    openBillingPortal: ({ caller, body }) =>
      paying(async (payments) => {
        const back = returnUrl('return_url', body.return_url, ports.origins);
        if ('details' in back) return { failure: 'invalid_request', details: back.details };
        const record = await ports.billing.billing(caller.merchantId);
        if (record === null) return { failure: 'billing_customer_missing' };
        const { customerId } = record;
        const url = await payments.openPortal({ customerId, returnUrl: back.url });
        if (url === null) return { failure: 'billing_customer_missing' };
        await audit(caller, 'billing.portal', customerId, ports);
        return { status: 200, body: { success: true, url } };
      }),

    takeBillingEvent: ({ bytes, headers }) =>
      paying(async (payments) => {
        const event = payments.readEvent(bytes, headers['stripe-signature'], ports.clock.now());
        if (event === null) return { failure: 'invalid_signature' };
        return { status: 200, body: { received: true, result: await takeEvent(event, payments, ports) } };
      }),
  };
}
