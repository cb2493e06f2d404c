// News of the payment provider. Guarantees: an event is taken once, for as long as the provider may send it again; one that
// failed, or whose process died, is taken when it is sent again; events of customers that are not ours change nothing.
import { audited } from '#lib/core/audit-log/audited.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import type { PaymentProvider, ProviderEvent } from '#lib/events/ports/payment-provider.ts';
import type { ApiPorts } from '../ports.ts';
import { chargeOverage } from './charge-overage.ts';
import { followCustomer } from './follow-customer.ts';

const INVOICE_OPENED = 'invoice.created';

/** After any of these the customer may have another subscription than before; others are none of ours. */
const FOLLOWED: ReadonlySet<string> = new Set([
  INVOICE_OPENED,
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'customer.deleted',
]);

/** By hand, an event can be sent again for thirty days (https://docs.stripe.com/webhooks, read 2026-11-22). */
const KEPT_MS = 35 * DAY_MS;

export type Taken = 'applied' | 'unchanged' | 'ignored' | 'repeated';

export async function takeEvent(
  event: ProviderEvent,
  payments: Pick<PaymentProvider, 'subscriptions' | 'openInvoice' | 'addOverage'>,
  ports: ApiPorts,
): Promise<Taken> {
  if (event.customerId === null || !FOLLOWED.has(event.type)) return 'ignored';
  const merchantId = await ports.billing.merchantOfCustomer(event.customerId);
  if (merchantId === null) return 'ignored';
  const record = await ports.billing.billing(merchantId);
  if (record?.customerId !== event.customerId) return 'ignored';
  const nowMs = ports.clock.now();
  const id = `stripe-event|${event.id}`;
  const holder = ports.random.uuidv7(nowMs);
  // Without a lease: whoever has the same event at the same moment does the same, which does no harm.
  const claim = { digest: 'event', holder, leaseEndMs: nowMs, untilMs: nowMs + KEPT_MS };
  const begun = await ports.idempotency.begin(id, claim, nowMs);
  if (!('idRoot' in begun) && begun.answer !== null) return 'repeated';
  const taken = await audited(
    { merchantId, actor: `stripe:${event.id}`, action: 'billing.follow', subject: event.customerId },
    async (note) => {
      const followed = await followCustomer(merchantId, payments, ports);
      if (followed === null) return 'unchanged';
      if (followed.changed)
        note('billing.change', followed.record.subscription?.id ?? followed.record.customerId);
      if (event.type !== INVOICE_OPENED || event.invoiceId === undefined)
        return followed.changed ? 'applied' : 'unchanged';
      const charged = await chargeOverage(event.invoiceId, followed.record, payments, ports);
      if (charged) note('billing.overage', event.invoiceId);
      return charged || followed.changed ? 'applied' : 'unchanged';
    },
    ports,
  );
  await ports.idempotency.finish(id, holder, taken);
  return taken;
}
