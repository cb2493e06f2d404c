// Notices through Amazon SES (API v2, simple mails). Guarantees: what SES refuses for good is not asked again; anything else is
// thrown, and a repeated message may then be a second mail: a notice twice does less harm than none.
// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { NoticeSender } from '../../core/ports/notice-sender.ts';

/** SES would say the same of the same mail. */
const FINAL: ReadonlySet<string> = new Set(['MessageRejected', 'BadRequestException']);
const UTF8 = { Charset: 'UTF-8' } as const;

/** `domain`: one that SES may send from. */
export function createNoticeSender(domain: string): NoticeSender {
  const client = new SESv2Client({});
  return {
    async send({ to, subject, text }) {
      const command = new SendEmailCommand({
        FromEmailAddress: `Millrace <notices@${domain}>`,
        Destination: { ToAddresses: [to] },
        Content: {
          Simple: { Subject: { Data: subject, ...UTF8 }, Body: { Text: { Data: text, ...UTF8 } } },
        },
      });
      try {
        await client.send(command);
        return true;
      } catch (error) {
        if (FINAL.has((error as Error).name)) return false;
        throw error;
      }
    },
  };
}
