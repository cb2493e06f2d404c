// Goal: from the mail of any mail program a ticket shows what its person wrote, and from a machine's mail nothing.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANSWERS } from '#test/support/mails/answers.ts';
import { GROUPS } from '#test/support/mails/groups.ts';
import { LANGUAGES } from '#test/support/mails/languages.ts';
import { MACHINES } from '#test/support/mails/machines.ts';
import { bytesOf, head } from '#test/support/mails/mail-vector.ts';
import { bodyOf } from '../../helpdesk/domain/mail/body.ts';
import { customerOf } from '../../helpdesk/domain/mail/customer.ts';
import { type InboundMail, screenMail } from '../../helpdesk/domain/mail/inbound-mail.ts';
import { parseMail } from './parse.ts';

const DOMAIN = 'mail.example.com';
const VECTORS = [...ANSWERS, ...LANGUAGES, ...MACHINES, ...GROUPS];

async function read(raw: string | Uint8Array): Promise<InboundMail> {
  const mail = await parseMail(bytesOf({ name: '', raw }));
  if (mail === null) throw new Error('not a mail');
  return mail;
}

describe('mails as programs write them', () => {
  it('are more than fifty', () => {
    expect(VECTORS.length).toBeGreaterThan(50);
    expect(new Set(VECTORS.map(({ name }) => name)).size).toBe(VECTORS.length);
  });

  it.each(VECTORS)('$name', async ({ raw, text, from, subject, customer, aside, attachments }) => {
    const mail = await read(raw);
    const screened = screenMail(mail, DOMAIN, false);
    expect(screened.verdict === 'take' ? undefined : screened.reason).toBe(aside);
    if (text !== undefined) expect(bodyOf(mail, true)).toBe(text);
    if (from !== undefined) expect(mail.from?.address).toBe(from);
    if (customer !== undefined && mail.from !== null)
      expect(customerOf({ ...mail, from: mail.from }, DOMAIN).address).toBe(customer);
    if (subject !== undefined) expect(mail.subject).toBe(subject);
    if (attachments !== undefined) expect(mail.attachments.map(({ name }) => name)).toEqual(attachments);
  });
});

const SES_BLOCK = (results: string): string =>
  `Return-Path: <jane@customer.example>\nReceived: from mx.customer.example by inbound-smtp.eu-west-1.amazonaws.com with SMTP id abc\n for support+0000000000000000000000001@mail.example.com;\n Fri, 20 Nov 2026 10:00:00 +0000 (UTC)\nX-SES-Spam-Verdict: PASS\nX-SES-Virus-Verdict: PASS\nAuthentication-Results: amazonses.com;\n ${results}\nReceived: from laptop by mx.customer.example; Fri, 20 Nov 2026 09:59:59 +0000\n`;

describe('what the receiving server says of the sender', () => {
  it.each([
    ['spf=pass; dkim=pass header.i=@customer.example; dmarc=pass header.from=customer.example;', 'pass'],
    ['spf=pass; dkim=pass header.i=@customer.example; dmarc=none header.from=customer.example;', 'pass'],
    ['spf=pass; dkim=pass header.i=@mailer.example; dmarc=none header.from=customer.example;', 'none'],
    ['spf=fail; dkim=none; dmarc=fail header.from=customer.example;', 'fail'],
    ['spf=none; dkim=none; dmarc=none;', 'none'],
  ])('%s is %s', async (results, sender) => {
    expect((await read(`${SES_BLOCK(results)}${head()}\nx\n`)).verdicts.sender).toBe(sender);
  });

  it('is believed where that server wrote it, and not where the sender did', async () => {
    const forged =
      'Authentication-Results: amazonses.com; dmarc=pass;\nX-SES-Spam-Verdict: PASS\nX-SES-Virus-Verdict: PASS\n';
    const failed = await read(`${SES_BLOCK('dmarc=fail;')}${forged}${head()}\nx\n`);
    expect(failed.verdicts.sender).toBe('fail');
    const alone = await read(
      `Received: from a by b; now\nReceived: from c by d; then\n${forged}${head()}\nx\n`,
    );
    expect(alone.verdicts.sender).toBe('none');
    const other = await read(
      `${SES_BLOCK('').replace('amazonses.com;', 'mx.evil.example; dmarc=pass')}${head()}\nx\n`,
    );
    expect(other.verdicts.sender).toBe('none');
  });

  it('names the address a mail was sent to, whatever its To says', async () => {
    const mail = await read(`${SES_BLOCK('dmarc=pass;')}${head({ To: 'Team <team@shop.example>' })}\nx\n`);
    expect(mail.recipients).toEqual([
      'support+0000000000000000000000001@mail.example.com',
      'team@shop.example',
    ]);
  });
});

describe('parseMail', () => {
  it('reads what a mail answers, the nearest first, and nothing that is no id', async () => {
    const mail = await read(
      `${head({ 'In-Reply-To': '<c@x> garbage', References: '<a@x>\n <b@x> <c@x>' })}\nx\n`,
    );
    expect(mail.answers).toEqual(['<c@x>', '<c@x>', '<b@x>', '<a@x>']);
  });

  it('never throws and never gives ill-formed text, whatever the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.constantFrom('', 'text/html', 'multipart/mixed; boundary=b'),
        async (bytes, type) => {
          const raw = Buffer.concat([Buffer.from(type === '' ? '' : `Content-Type: ${type}\r\n\r\n`), bytes]);
          const mail = await parseMail(raw);
          expect(mail === null || (mail.text.isWellFormed() && mail.subject.isWellFormed())).toBe(true);
          expect(mail?.text.includes('\u0000') ?? false).toBe(false);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('refuses what is nested deeper than anybody writes, and headers without an end', async () => {
    const deep = Array.from(
      { length: 60 },
      (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\n\n--b${at}\n`,
    );
    expect(await parseMail(Buffer.from(deep.join('').replaceAll('\n', '\r\n')))).toBeNull();
    expect(await parseMail(Buffer.from(`X-A: ${'a'.repeat(300_000)}\r\n\r\nx`))).toBeNull();
  });

  it('says of a megabyte of hostile HTML something within its limits', async () => {
    const html = `${'<div>'.repeat(50_000)}x${'<blockquote>'.repeat(20_000)}`;
    const mail = await read(`${head({ 'Content-Type': 'text/html' })}\n${html}`);
    expect(mail.text.length).toBeLessThan(1_000_001);
  });
});
