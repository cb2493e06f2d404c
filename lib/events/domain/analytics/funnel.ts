// The way to an order: from a first page to the purchase.
import type { EventName } from '../event/names.ts';

export const FUNNEL = [
  'PageView',
  'ViewContent',
  'AddToCart',
  'InitiateCheckout',
  'AddPaymentInfo',
  'Purchase',
] as const satisfies readonly EventName[];
