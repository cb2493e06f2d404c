// Who takes the money. Every method throws an Outage where the provider cannot be reached or fails on its side, and a
// ProviderRefused where it says no; a request that may have been heard is repeated under the same key only.
import type { Subscription } from '../domain/billing/subscription.ts';

/** As the provider has it now. */
export interface ProviderSubscription extends Subscription {
  /** Of its one item, to change the price of. */
  readonly itemId: string;
}

export interface Price {
  readonly id: string;
  /** A month; null where it is counted otherwise. */
  readonly monthlyMinor: number | null;
  /** ISO 4217. */
  readonly currency: string;
}

export interface CheckoutRequest {
  readonly merchantId: string;
  readonly customerId: string;
  readonly priceId: string;
  readonly successUrl: string;
  readonly cancelUrl?: string | undefined;
}

export interface PortalRequest {
  readonly customerId: string;
  readonly returnUrl?: string | undefined;
  /** Opens where this change is confirmed. */
  readonly change?:
    | { readonly subscriptionId: string; readonly itemId: string; readonly priceId: string }
    | undefined;
}

/** An invoice for the period that begins, which more can be put on still. */
export interface OpenInvoice {
  readonly customerId: string;
  /** The period that ended. */
  readonly periodStartMs: number;
  readonly periodEndMs: number;
  /** True where what was used over the plan is on it already. */
  readonly hasOverage: boolean;
}

export interface OverageRequest {
  readonly invoiceId: string;
  readonly customerId: string;
  readonly amountMinor: number;
  readonly description: string;
}

/** Something happened at the provider. What it says of its object may be old by now: only whose it is counts. */
export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  /** Null where it is about no customer, or not about our own account. */
  readonly customerId: string | null;
  /** Where it is about an invoice. */
  readonly invoiceId?: string;
}

export interface PaymentProvider {
  /** One customer for each `onceKey`, however often it is asked within a day. */
  createCustomer(merchantId: string, onceKey: string): Promise<string>;
  /** All that the customer has or had, up to the newest hundred; null where there is no such customer. */
  subscriptions(customerId: string): Promise<readonly ProviderSubscription[] | null>;
  /** The active price with this lookup key. */
  price(lookupKey: string): Promise<Price | null>;
  /** Null where there is no such customer. */
  openCheckout(request: CheckoutRequest): Promise<{ readonly id: string; readonly url: string } | null>;
  /** Afterwards nobody can pay at it any more; one that is paid or gone already is left as it is. */
  closeCheckout(checkoutId: string): Promise<void>;
  /** The address of the page; null where there is no such customer. */
  openPortal(request: PortalRequest): Promise<string | null>;
  /** Null where it is no invoice of a renewal, or is final. */
  openInvoice(invoiceId: string): Promise<OpenInvoice | null>;
  /** Put on an invoice once, however often it is asked. */
  addOverage(request: OverageRequest): Promise<void>;
  /** Null where the provider has not signed these very bytes within the last five minutes. */
  readEvent(bytes: Uint8Array, signature: string | undefined, nowMs: number): ProviderEvent | null;
}

/** The provider takes the key not, or not for this, or something is not set up there. The message quotes nothing of what was sent. */
export class ProviderRefused extends Error {
  override readonly name: string = 'ProviderRefused';
}

/** What is not set, in words; nothing can be bought until it is. */
export interface PaymentsMissing {
  readonly missing: readonly { readonly path: string; readonly message: string }[];
}

/** Loads what it takes at the first call. */
export type Payments = () => Promise<PaymentProvider | PaymentsMissing>;
