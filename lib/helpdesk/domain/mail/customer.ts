// The customer of a mail that opens a ticket: the person whom an answer reaches. Forms of shops, and groups that keep
// DMARC, send under an address of their own and name the person in `Reply-To`.
// Guarantees: never an address of ours, of the group, or one that takes no answers. It does not prove who that person
// is: no server vouches for `Reply-To`, so a mail joins a ticket by its sender (`From`) only, and agents are warned.

import { isOurDomain } from './address.ts';
import type { InboundMail, Mailbox } from './inbound-mail.ts';

export interface MailCustomer extends Mailbox {
  /** It is not the sender, and only the sender claims that it is right. */
  readonly isNamedBySender: boolean;
}

export function customerOf(
  mail: Pick<InboundMail, 'replyTo' | 'recipients' | 'headers'> & { readonly from: Mailbox },
  domain: string,
): MailCustomer {
  const { from, replyTo, recipients, headers } = mail;
  const post = (headers.get('list-post') ?? '').toLowerCase();
  const isOfGroup = (address: string): boolean =>
    recipients.includes(address) || post.includes(`mailto:${address}>`);
  const named = replyTo.find(
    ({ address }) =>
      !isOurDomain(address, domain) &&
      !isOfGroup(address) &&
      !TAKES_NO_ANSWERS.test(address) &&
      isContactAddress(address),
  );
  // A sender who lists their own address in `Reply-To` as well is the customer.
  const isSender =
    named === undefined ||
    (!isOfGroup(from.address) && replyTo.some(({ address }) => address === from.address));
  return isSender ? { ...from, isNamedBySender: false } : { ...named, isNamedBySender: true };
}

const TAKES_NO_ANSWERS = /^(?:no-?_?reply|do-?_?not-?_?reply|mailer-daemon|postmaster|bounces?)\b.*@/;

const ADDRESS_MAX = 254;

/** What the API takes for an address: in ASCII. */
export const isContactAddress = (address: string): boolean =>
  address.length <= ADDRESS_MAX &&
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/.test(
    address,
  );
