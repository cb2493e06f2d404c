// Answers as people's mail programs write them, in English.
import { answered, head, type MailVector } from './mail-vector.ts';

const MIXED = 'multipart/alternative; boundary="b1"';

const ANSWERED = {
  'Outlook of old, original message': `I never got it.

-----Original Message-----
From: Lamp Shop
Sent: Friday, November 20, 2026 9:41 AM
Subject: Sent today

It was sent today.
`,
  'Outlook on a telephone': `Works for me.

Get Outlook for iOS<https://aka.ms/o0ukef>
________________________________
From: Lamp Shop <s@mail.example.com>
Sent: Friday, November 20, 2026 9:41:00 AM
To: Jane Doe <jane@customer.example>
Subject: Re: Broken lamp

Shall we refund it?
`,
  'iPhone, signature below the answer': `Thanks, got it

Sent from my iPhone

> On Nov 20, 2026, at 9:41 AM, Lamp Shop <s@mail.example.com> wrote:
> 
> ﻿Did the parcel arrive?
`,
};

export const ANSWERS: readonly MailVector[] = [
  ...answered(ANSWERED),
  {
    name: 'Gmail, both parts, written on top',
    raw: `${head({ 'Content-Type': MIXED })}
--b1
Content-Type: text/plain; charset="UTF-8"

The new lamp works, thank you!

On Fri, Nov 20, 2026 at 9:41 AM Lamp Shop <support+abc@mail.example.com>
wrote:

> Dear Jane,
>
> a new lamp is on its way.
>
--b1
Content-Type: text/html; charset="UTF-8"

<div dir="ltr">The new lamp works, thank you!</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Fri, Nov 20, 2026 at 9:41 AM Lamp Shop wrote:<br></div><blockquote class="gmail_quote">Dear Jane, a new lamp is on its way.</blockquote></div>
--b1--
`,
    text: 'The new lamp works, thank you!',
    from: 'jane@customer.example',
    subject: 'Re: Broken lamp [TKT-000042]',
  },
  {
    name: 'Gmail, HTML alone',
    raw: `${head({ 'Content-Type': 'text/html; charset="UTF-8"' })}
<html><head><title>t</title><style>p{color:red}</style></head><body><div dir="ltr">Please send it to<div>Elm Street&nbsp;7 &amp; ring twice.</div></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Fri, Nov 20, 2026 at 9:41 AM Lamp Shop &lt;<a href="mailto:s@mail.example.com">s@mail.example.com</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0">Where shall we send it?</blockquote></div><script>alert(1)</script></body></html>
`,
    text: 'Please send it to\nElm Street 7 & ring twice.',
  },
  {
    name: 'Outlook for Windows, header block without marks',
    raw: `${head()}
Hello,

the invoice has the wrong name on it.

Kind regards
Jane Doe

________________________________
From: Lamp Shop <support+abc@mail.example.com>
Sent: Friday, November 20, 2026 9:41 AM
To: Jane Doe <jane@customer.example>
Subject: Your invoice [TKT-000042]

Dear Jane,
here is your invoice.
`,
    text: 'Hello,\n\nthe invoice has the wrong name on it.\n\nKind regards\nJane Doe',
  },
  {
    name: 'Outlook, HTML alone',
    raw: `${head({ 'Content-Type': 'text/html; charset="us-ascii"' })}
<html xmlns:o="urn:schemas-microsoft-com:office:office"><body lang="EN-US"><div class="WordSection1"><p class="MsoNormal">Yes, Tuesday is fine.<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>From:</b> Lamp Shop &lt;s@mail.example.com&gt; <br><b>Sent:</b> Friday, November 20, 2026 9:41 AM<br><b>To:</b> Jane Doe<br><b>Subject:</b> A day for the visit<o:p></o:p></p></div></div><p class="MsoNormal">Would Tuesday be fine?<o:p></o:p></p></div></body></html>
`,
    text: 'Yes, Tuesday is fine.',
  },
  {
    name: 'Apple Mail, text',
    raw: `${head({ 'Content-Type': 'text/plain; charset=us-ascii' })}
It flickers only at night.

> On 20 Nov 2026, at 09:41, Lamp Shop <support+abc@mail.example.com> wrote:
> 
> When does it flicker?

`,
    text: 'It flickers only at night.',
  },
  {
    name: 'Android, written below the quote',
    raw: `${head()}
On Fri, Nov 20, 2026, 9:41 AM Lamp Shop <s@mail.example.com> wrote:

> Which colour was it?
> And which size?

Blue, the small one.
`,
    text: 'Blue, the small one.',
  },
  {
    name: 'answers between the questions keep the questions',
    raw: `${head()}
On Fri, Nov 20, 2026 at 9:41 AM Lamp Shop <s@mail.example.com> wrote:

> Which colour?

Blue.

> Which size?

Small.
`,
    text: 'On Fri, Nov 20, 2026 at 9:41 AM Lamp Shop <s@mail.example.com> wrote:\n\n> Which colour?\n\nBlue.\n\n> Which size?\n\nSmall.',
  },
  {
    name: 'Thunderbird, format=flowed, signature with dashes',
    raw: `${head({ 'Content-Type': 'text/plain; charset=utf-8; format=flowed' })}
On 20/11/2026 09:41, Lamp Shop wrote:
> Please tell us the number 
> on the lamp.
The number on the lamp is rather long, and this line was broken by the 
mail program, not by me: 12345.

-- 
Jane Doe
Customer Ltd.
+44 20 0000 0000
`,
    text: 'The number on the lamp is rather long, and this line was broken by the mail program, not by me: 12345.',
  },
  {
    name: 'nothing but a quote stays whole',
    raw: `${head()}
> Shall we close it?
`,
    text: '> Shall we close it?',
  },
  {
    name: 'a sentence that begins like an attribution is none',
    raw: `${head()}
On Monday I called and your colleague wrote:
"we will look into it". Nobody did.

From: now on I want a written answer.
`,
    text: 'On Monday I called and your colleague wrote:\n"we will look into it". Nobody did.\n\nFrom: now on I want a written answer.',
  },
  {
    name: 'attachments are named',
    raw: `${head({ 'Content-Type': 'multipart/mixed; boundary="b2"' })}
--b2
Content-Type: text/plain; charset=utf-8

A picture of it.
--b2
Content-Type: image/png; name="=?utf-8?Q?Lampe_gr=C3=BCn.png?="
Content-Disposition: attachment; filename*=utf-8''Lampe%20gr%C3%BCn.png
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--b2
Content-Type: message/rfc822
Content-Disposition: attachment; filename="earlier.eml"

From: other@customer.example
Subject: earlier

This was said to somebody else.
--b2--
`,
    text: 'A picture of it.\n\n[Attachment: Lampe grün.png, image/png, 8 bytes]\n[Attachment: earlier.eml, message/rfc822, 79 bytes]',
    attachments: ['Lampe grün.png', 'earlier.eml'],
  },
];
