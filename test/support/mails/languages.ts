// Answers in other languages, charsets and encodings, some of them broken.
import { answered, head, type MailVector } from './mail-vector.ts';

const crlf = (text: string): Buffer => Buffer.from(text.replaceAll('\n', '\r\n'));

/** ISO-2022-JP: JIS X 0208 between its escapes. */
const JIS = Buffer.concat([
  crlf(
    `${head({ 'Content-Type': 'text/plain; charset=ISO-2022-JP', 'Content-Transfer-Encoding': '7bit', Subject: '=?ISO-2022-JP?B?GyRCSlY7diEnJWklcyVXGyhC?=' })}\n`,
  ),
  Buffer.from([
    0x1b, 0x24, 0x42, 0x46, 0x4f, 0x24, 0x2d, 0x24, 0x5e, 0x24, 0x37, 0x24, 0x3f, 0x1b, 0x28, 0x42,
  ]),
  crlf('\n\n> '),
  Buffer.from([0x1b, 0x24, 0x42, 0x46, 0x4f, 0x1b, 0x28, 0x42]),
  crlf('\n'),
]);

const LATIN = Buffer.concat([
  crlf(`${head({ 'Content-Type': 'text/plain; charset=windows-1252' })}\n`),
  // “Größe: 5 €”
  Buffer.from([0x93, 0x47, 0x72, 0xf6, 0xdf, 0x65, 0x3a, 0x20, 0x35, 0x20, 0x80, 0x94]),
  crlf('\n'),
]);

const BROKEN_UTF8 = Buffer.concat([
  crlf(`${head()}\nThis byte `),
  Buffer.from([0xff, 0xc3]),
  crlf(' is none, and NUL '),
  Buffer.from([0]),
  crlf('either.\n'),
]);

const ANSWERED = {
  'German, Thunderbird': `Die Lampe ist angekommen, danke.

Am 20.11.26 um 09:41 schrieb Lampenladen:
> Ist die Lampe angekommen?
`,
  'German, Gmail, broken over two lines': `Ja, gerne am Dienstag.

Am Fr., 20. Nov. 2026 um 09:41 Uhr schrieb Lampenladen <
support+abc@mail.example.com>:

> Passt Ihnen Dienstag?
`,
  'German, Outlook': `Guten Tag,
die Rechnung fehlt noch.

Von: Lampenladen <s@mail.example.com>
Gesendet: Freitag, 20. November 2026 09:41
An: Jane Doe <jane@customer.example>
Betreff: Ihre Bestellung [TKT-000042]

Ihre Bestellung ist unterwegs.
`,
  'German, telephone': `Passt so.

Von meinem iPhone gesendet

> Am 20.11.2026 um 09:41 schrieb Lampenladen <s@mail.example.com>:
> 
> Passt das so?
`,
  'French, with a space before the colon': `La lampe est arrivée cassée.

Le ven. 20 nov. 2026 à 09:41, Lampes <s@mail.example.com> a écrit :

> Votre lampe est en route.
`,
  'French, Outlook': `Oui, merci.

De : Lampes <s@mail.example.com>
Envoyé : vendredi 20 novembre 2026 09:41
À : Jane Doe
Objet : Votre lampe

Est-ce la bonne ?
`,
  Spanish: `Todo bien, gracias.

El vie, 20 nov 2026 a las 9:41, Lámparas (<s@mail.example.com>) escribió:

> ¿Todo bien?
`,
  Italian: `Confermo.

Il giorno ven 20 nov 2026 alle ore 09:41 Lampade <s@mail.example.com> ha scritto:

> Conferma?
`,
  Dutch: `Dat klopt.

Op vr 20 nov 2026 om 09:41 schreef Lampen <s@mail.example.com>:

> Klopt dat?
`,
  Portuguese: `Pode ser.

Em sex., 20 de nov. de 2026 às 09:41, Lâmpadas <s@mail.example.com> escreveu:

> Terça pode ser?
`,
  'Japanese, Gmail': `ランプは届きました。ありがとうございます。

2026年11月20日(金) 9:41 ランプ店 <s@mail.example.com>:

> ランプは届きましたか。
`,
  'Japanese, iPhone': `了解しました。

iPhoneから送信

2026/11/20 9:41、ランプ店 <s@mail.example.com>のメール:

> 明日お届けします。
`,
  'Japanese, Outlook': `確認しました。

差出人: ランプ店 <s@mail.example.com>
送信日時: 2026年11月20日 9:41
宛先: Jane Doe
件名: ご注文

ご確認ください。
`,
};

export const LANGUAGES: readonly MailVector[] = [
  ...answered(ANSWERED),
  ...['us-ascii', '"US-ASCII"', 'utf-8'].map((charset) => ({
    name: `UTF-8 that says it is ${charset}`,
    raw: `${head({ 'Content-Type': `text/plain; charset=${charset}` })}\nGrüße aus Köln — 😀\n`,
    text: 'Grüße aus Köln — 😀',
  })),
  {
    name: 'Latin-1 that says it is us-ascii',
    raw: Buffer.from(
      `${head({ 'Content-Type': 'text/plain; charset=us-ascii' })}\nGrüße\n`.replaceAll('\n', '\r\n'),
      'latin1',
    ),
    text: 'Grüße',
  },
  {
    name: 'a table of HTML',
    raw: `${head({ 'Content-Type': 'text/html; charset=utf-8' })}\n<table><tr><th>Item</th><th>Price</th></tr><tr><td>Cup</td><td>7 €</td></tr></table>\n`,
    text: 'Item Price\nCup 7 €',
  },
  { name: 'ISO-2022-JP', raw: JIS, text: '届きました', subject: '返事：ランプ' },
  { name: 'windows-1252', raw: LATIN, text: '“Größe: 5 €”' },
  {
    name: 'base64 in a charset that nobody knows',
    raw: `${head({ 'Content-Type': 'text/plain; charset="x-unknown-17"', 'Content-Transfer-Encoding': 'base64' })}
UGxhaW4gZW5vdWdoLg==
`,
    text: 'Plain enough.',
  },
  {
    name: 'quoted-printable, soft line breaks and a torn escape',
    raw: `${head({ 'Content-Transfer-Encoding': 'quoted-printable' })}
Gr=C3=BC=C3=9Fe aus=20=
K=C3=B6ln, 100 =
% sicher=
`,
    text: 'Grüße aus Köln, 100 % sicher',
  },
  {
    name: 'bytes that are no UTF-8, and NUL',
    raw: BROKEN_UTF8,
    text: 'This byte �� is none, and NUL either.',
  },
  {
    name: 'a boundary that never ends',
    raw: `${head({ 'Content-Type': 'multipart/mixed; boundary="open"' })}
--open
Content-Type: text/plain; charset=utf-8

Cut off in the mid
`,
    text: 'Cut off in the mid',
  },
  {
    name: 'no headers but a sender',
    raw: 'From: jane@customer.example\nTo: support+0000000000000000000000001@mail.example.com\n\nShort and plain.\n',
    text: 'Short and plain.',
    subject: '',
  },
  {
    name: 'HTML with a text that hides its direction',
    raw: `${head({ 'Content-Type': 'text/html; charset=utf-8' })}
<p>pay to \u202egnp.exe\u202c now</p><img src="https://tracker.example/x.gif"><a href="https://shop.example/a">the shop</a>
`,
    text: 'pay to gnp.exe now\n\nthe shop [https://shop.example/a]',
  },
];
