// Customers' mails that come through a merchant's group, a form, or a program that sends for many. The shapes are the programs'.
import { head, type MailVector } from './mail-vector.ts';

const body = '\nThe cup arrived in two pieces.\n';
const text = 'The cup arrived in two pieces.';
const GROUP = 'support@shop.example';
const customer = 'jane@customer.example';

/** What Google Groups puts on whatever is sent to a group. */
const GOOGLE = {
  To: `Support <${GROUP}>`,
  'Delivered-To': 'support+0000000000000000000000001@mail.example.com',
  Precedence: 'list',
  'Mailing-list': `list ${GROUP}; contact support+owners@shop.example`,
  'List-ID': '<support.shop.example>',
  'X-Google-Group-Id': '123456789012',
  'List-Post': `<https://groups.google.com/a/shop.example/group/support/post>, <mailto:${GROUP}>`,
  'List-Help': '<https://support.google.com/a/shop.example/bin/topic.py?topic=25838>',
  'List-Archive': '<https://groups.google.com/a/shop.example/group/support/>',
  'List-Unsubscribe':
    '<mailto:googlegroups-manage+123456789012+unsubscribe@googlegroups.com>, <https://groups.google.com/a/shop.example/group/support/subscribe>',
};

/** Mailman, of old. */
const MAILMAN = {
  To: GROUP,
  Precedence: 'bulk',
  'List-Id': 'Support <support.shop.example>',
  'List-Post': `<mailto:${GROUP}>`,
  'List-Unsubscribe': '<mailto:support-leave@shop.example>',
};

const FORM = 'Shop forms <mailer@shopforms.example>';

export const GROUPS: readonly MailVector[] = [
  { name: 'a customer through a Google Group', raw: `${head(GOOGLE)}${body}`, text, customer },
  {
    name: 'the same, where the customer’s domain asks for DMARC',
    raw: `${head({ ...GOOGLE, 'Reply-To': 'Jane Doe <jane@customer.example>', 'X-Original-Sender': customer }, `'Jane Doe' via Support <${GROUP}>`)}${body}`,
    text,
    from: GROUP,
    customer,
  },
  {
    name: 'the same, where answers go to the group',
    raw: `${head({ ...GOOGLE, 'Reply-To': GROUP, 'X-Original-From': '=?utf-8?Q?Jane_D=C3=B6?= <Jane@customer.example>' }, `'Jane' via Support <${GROUP}>`)}${body}`,
    text,
    customer,
  },
  { name: 'a customer through Mailman', raw: `${head(MAILMAN)}${body}`, text, customer },
  {
    name: 'through Mailman, which names the list and the customer',
    raw: `${head({ ...MAILMAN, 'Reply-To': `${GROUP}, Jane Doe <${customer}>` }, `Jane Doe via Support <${GROUP}>`)}${body}`,
    text,
    customer,
  },
  {
    name: 'through a list that wants answers for itself',
    raw: `${head({ ...MAILMAN, 'Reply-To': GROUP })}${body}`,
    text,
    customer,
  },
  ...Object.entries({
    'List-ID': '<a.b>',
    Precedence: 'list',
    precedence: 'bulk',
    'List-Unsubscribe': '<mailto:u@crm.example>',
  }).map(([field, value]) => ({
    name: `${field}: ${value} alone`,
    raw: `${head({ [field]: value })}${body}`,
    text,
    customer,
  })),
  {
    name: 'a sales program that writes to one person',
    raw: `${head({ 'List-Unsubscribe': '<https://crm.example/u/1>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }, 'Ann <ann@supplier.example>')}${body}`,
    text,
    customer: 'ann@supplier.example',
  },
  {
    name: 'a contact form',
    raw: `${head({ 'Reply-To': 'Real Customer <Real.Customer@customer.example>' }, FORM)}${body}`,
    text,
    from: 'mailer@shopforms.example',
    customer: 'real.customer@customer.example',
  },
  {
    name: 'a contact form whose customer wrote no address',
    raw: `${head({ 'Reply-To': 'none' }, FORM)}${body}`,
    text,
    customer: 'mailer@shopforms.example',
  },
  {
    name: 'a contact form that names itself first, and nobody who answers',
    raw: `${head({ 'Reply-To': 'noreply@shopforms.example, <real@customer.example>' }, FORM)}${body}`,
    text,
    customer: 'real@customer.example',
  },
  {
    name: 'answers to our own address',
    raw: `${head({ 'Reply-To': 'Support <support+0000000000000000000000001@mail.example.com>' })}${body}`,
    text,
    customer,
  },
  {
    name: 'answers to the sender and to others',
    raw: `${head({ 'Reply-To': `assistant@customer.example, ${customer}` })}${body}`,
    text,
    customer,
  },
  {
    name: 'answers to an address that no contact can have',
    raw: `${head({ 'Reply-To': 'Jörg <jörg@exämple.example>' })}${body}`,
    text,
    customer,
  },
];
