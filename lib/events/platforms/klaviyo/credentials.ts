import * as z from 'zod';
import { token } from '../credential-fields.ts';

export const klaviyoCredentials = z.strictObject({
  private_api_key: token(10, 512).meta({
    label: 'Private API key',
    help: 'klaviyo.com → your account name → Settings → API keys → Create private API key → Custom key with full access to Events and Profiles, and to Data Privacy for deletions to be passed on. Begins with pk_; shown once.',
    secret: true,
  }),
  ordered_product: z.boolean().default(true).meta({
    label: 'Ordered Product',
    help: 'Beside Placed Order, report an Ordered Product for each item of a purchase: flows and segments by product need it. Switch it off where another integration reports them already.',
  }),
  unique_id: z.enum(['event_id', 'order_id']).default('event_id').meta({
    label: 'Identity of an order',
    help: 'What makes two reports of an order the same to Klaviyo. Choose order_id where another integration reports the same orders by their number, or for refunds to count into lifetime value; of several refunds of one order Klaviyo then keeps the first.',
  }),
});

export type KlaviyoCredentials = z.output<typeof klaviyoCredentials>;
