// What was used over the plan goes on the invoice of its renewal, while that is open. Guarantees: once for an invoice, however
// often and by how many it is asked; for the period that ended, under the plan that holds; nothing for who used no more. A
// replay is used like any event: it costs as much.
import { billOf } from '#lib/events/domain/billing/bill.ts';
import { type BillingRecord, planOf } from '#lib/events/domain/billing/subscription.ts';
import { readCounters, total } from '#lib/events/pipeline/counting/counter-range.ts';
import type { PaymentProvider } from '#lib/events/ports/payment-provider.ts';
import type { ApiPorts } from '../ports.ts';

/** True where something was put on the invoice. */
export async function chargeOverage(
  invoiceId: string,
  { merchantId, customerId, subscription }: BillingRecord,
  payments: Pick<PaymentProvider, 'openInvoice' | 'addOverage'>,
  { counters }: Pick<ApiPorts, 'counters'>,
): Promise<boolean> {
  const invoice = await payments.openInvoice(invoiceId);
  if (invoice === null || invoice.hasOverage || invoice.customerId !== customerId) return false;
  const rows = await readCounters(
    merchantId,
    { fromMs: invoice.periodStartMs, toMs: invoice.periodEndMs },
    { counters },
  );
  const { events, replays = 0 } = total(rows);
  const plan = planOf(subscription);
  const { overageEvents, overageMinor } = billOf(plan, events + replays);
  if (overageMinor === 0) return false;
  const description = `${overageEvents} events over the ${plan.includedEvents} of plan ${plan.name}`;
  await payments.addOverage({ invoiceId, customerId, amountMinor: overageMinor, description });
  return true;
}
