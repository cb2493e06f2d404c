// Mails that no person wrote, or that must not be taken.
import { head, type MailVector } from './mail-vector.ts';

const body = '\nI am away until Monday.\n';

const aside = (reason: string, raws: Readonly<Record<string, string>>): readonly MailVector[] =>
  Object.entries(raws).map(([name, raw]) => ({ name, raw, aside: reason }));

export const MACHINES: readonly MailVector[] = [
  ...aside('bounce', {
    'bounce: a delivery status notification': `${head({ 'Return-Path': '<>', 'Content-Type': 'multipart/report; report-type=delivery-status; boundary="r"', 'Auto-Submitted': 'auto-replied' }, 'Mail Delivery System <MAILER-DAEMON@mx.customer.example>')}
--r
Content-Type: text/plain

The address jane@customer.example does not exist.
--r
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.customer.example

Final-Recipient: rfc822; jane@customer.example
Action: failed
Status: 5.1.1
--r--
`,
    'bounce of a server that knows no standard': `${head({ 'X-Failed-Recipients': 'jane@customer.example' }, 'mx@customer.example')}\nIt could not be delivered.\n`,
    'null sender': `${head({ 'Return-Path': '<>' })}${body}`,
  }),
  ...aside('auto_reply', {
    'out of office, Exchange': `${head({ 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', Subject: 'Automatic reply: Broken lamp' })}${body}`,
    'out of office, Gmail': `${head({ 'Auto-Submitted': 'auto-replied', 'X-Autoreply': 'yes', Precedence: 'bulk' })}${body}`,
    'out of office with its subject alone': `${head({ Subject: 'Abwesenheitsnotiz: Broken lamp [TKT-000042]' })}${body}`,
    'autoresponder of old': `${head({ Precedence: 'auto_reply' })}${body}`,
    'another helpdesk acknowledges our mail': `${head({ 'Auto-Submitted': 'auto-generated; owner-email="x@y.example"', Subject: '[Ticket#77] Re: Broken lamp [TKT-000042]' }, 'Helpdesk <help@other.example>')}\nYour request was received.\n`,
  }),
  ...aside('loop', {
    'another helpdesk sends our own mail back to us': `${head({ 'X-Millrace-Mail': '0192f3a4-5b6c-7d8e-9f01-23456789abcd' }, 'Helpdesk <help@other.example>')}\nYou wrote: a new lamp is on its way.\n`,
    'another workspace of ours writes, or a forward of our own mail': `${head({}, 'Lamp Shop <support+abc@mail.example.com>')}\nA new lamp is on its way.\n`,
    'our own Message-ID under another name': `${head({ 'Message-ID': '<0192f3a4-5b6c-7d8e-9f01-23456789abcd@mail.example.com>' })}\nA new lamp is on its way.\n`,
  }),
  ...aside('bulk', {
    newsletter: `${head({ Precedence: 'bulk', 'List-Unsubscribe': '<mailto:x@lists.example>' })}\nNews of lamps.\n`,
    'newsletter of a large sender: one click ends it': `${head({ 'List-ID': '<1234.campaigns.mailer.example>', 'List-Unsubscribe': '<https://mailer.example/u/1>, <mailto:u@mailer.example>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click', 'Feedback-ID': '1:2:3:mailer' }, 'Lamps Weekly <news@mailer.example>')}\nNews of lamps.\n`,
    'announcements that nobody can write to': `${head({ Precedence: 'bulk', 'List-Id': '<news.lists.example>', 'List-Post': 'NO (posting not allowed on this list)', 'List-Unsubscribe': '<mailto:x@lists.example>' })}\nNews of lamps.\n`,
  }),
  ...aside('no_sender', {
    'without a sender': `${head({}, '')}\nWho am I?\n`,
    'a sender that is no address': `${head({}, 'Jane Doe <jane>')}\nWho am I?\n`,
  }),
  ...aside('virus', {
    'a virus, says the receiving server': `Received: from a by b for <x@mail.example.com>; Fri, 20 Nov 2026 10:00:00 +0000\nX-SES-Virus-Verdict: FAIL\n${head()}\nOpen it.\n`,
  }),
  ...aside('spam', {
    'spam, says the receiving server': `Received: from a by b for <x@mail.example.com>; Fri, 20 Nov 2026 10:00:00 +0000\nX-SES-Spam-Verdict: FAIL\n${head()}\nBuy lamps.\n`,
  }),
  {
    name: 'a person whose program says that it is none of these',
    raw: `${head({ 'Auto-Submitted': 'no', Precedence: 'normal' })}\nI am a person.\n`,
    text: 'I am a person.',
  },
];
