// Stripe events, verified over the received bytes. Refuses: a signature that is missing, of other bytes, of another
// secret or older than five minutes (https://docs.stripe.com/webhooks#verify-events, read 2026-11-22), and bodies that
// are not events. Of an event's object only the customer and the invoice id are read.
import Stripe from 'stripe';
import * as z from 'zod';
import type { ProviderEvent } from '../../events/ports/payment-provider.ts';

export const SIGNATURE_TOLERANCE_SEC = 300;

const id = z.string().min(1).max(255);
const event = z.object({
  id,
  type: z.string().min(1).max(255),
  /** For events of connected accounts; ours have none. */
  account: z.string().nullish(),
  data: z.object({
    object: z.object({
      object: z.string(),
      id: id.optional(),
      customer: z.union([id, z.object({ id })]).nullish(),
    }),
  }),
});

export function readSignedEvent(
  bytes: Uint8Array,
  signature: string | undefined,
  secret: string,
  nowMs: number,
): ProviderEvent | null {
  if (signature === undefined || bytes.byteLength === 0) return null;
  let signed: unknown;
  try {
    const payload = Buffer.from(bytes);
    signed = Stripe.webhooks.constructEvent(
      payload,
      signature,
      secret,
      SIGNATURE_TOLERANCE_SEC,
      undefined,
      nowMs,
    );
  } catch {
    // Anything that a hostile header makes the library throw means: not verified.
    return null;
  }
  const read = event.safeParse(signed);
  if (!read.success) return null;
  const { account, data, ...named } = read.data;
  const customerId = account == null ? customerOf(data.object) : null;
  const { object, id: objectId } = data.object;
  return {
    ...named,
    customerId,
    ...(object === 'invoice' && objectId !== undefined ? { invoiceId: objectId } : {}),
  };
}

function customerOf({ object, id: own, customer }: z.infer<typeof event>['data']['object']): string | null {
  if (object === 'customer') return own ?? null;
  return typeof customer === 'string' ? customer : (customer?.id ?? null);
}
