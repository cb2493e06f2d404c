// The one way to Amazon SES (API v2, raw mails). Guarantees: SES is asked once: a request whose answer is lost is said to be
// unknown and never sent again by itself, because SES has no idempotency token and would send a second mail.
// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { MailSender, SendOutcome } from '../../helpdesk/ports/mail.ts';

const CONNECT_MAX_MS = 3_000;
const ANSWER_MAX_MS = 15_000;
const ERROR_MAX = 300;

/** SES would say the same of the same mail. */
const FINAL: ReadonlySet<string> = new Set(['MessageRejected', 'BadRequestException']);
/** Nothing left this machine. */
const UNSENT: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

export interface MailSenderOptions {
  /** Where events of the mails are published from. */
  readonly configurationSet?: string;
  readonly endpoint?: string;
}

export function createMailSender({ configurationSet, endpoint }: MailSenderOptions = {}): MailSender {
  const client = new SESv2Client({
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: CONNECT_MAX_MS,
      requestTimeout: ANSWER_MAX_MS,
      throwOnRequestTimeout: true,
    },
    ...(endpoint === undefined ? {} : { endpoint }),
  });
  const messageIdOf = async (providerId: string): Promise<string> => {
    const region = await client.config.region();
    const host = region === 'us-east-1' ? 'email' : region;
    return `<${providerId}@${host}.amazonses.com>`;
  };
  return {
    messageIdOf,
    async send({ raw, to, tags }) {
      try {
        const { MessageId: providerId } = await client.send(
          new SendEmailCommand({
            Content: { Raw: { Data: raw } },
            Destination: { ToAddresses: [to] },
            EmailTags: Object.entries(tags).map(([Name, Value]) => ({ Name, Value })),
            ...(configurationSet === undefined ? {} : { ConfigurationSetName: configurationSet }),
          }),
        );
        if (providerId === undefined) return { kind: 'unknown', error: 'SES answered without an id' };
        return { kind: 'accepted', providerId, messageId: await messageIdOf(providerId) };
      } catch (error) {
        return outcomeOf(error);
      }
    },
  };
}

interface SdkError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly code?: string;
}

function outcomeOf(error: unknown): SendOutcome {
  const { name, message, code, $metadata } = error as SdkError;
  const text = `${name}: ${message}`.slice(0, ERROR_MAX);
  const status = $metadata?.httpStatusCode;
  const isRefusal =
    (status !== undefined && status >= 400 && status < 500) ||
    name === 'CredentialsProviderError' ||
    UNSENT.has(code ?? '');
  return isRefusal
    ? { kind: 'refused', isFinal: FINAL.has(name), error: text }
    : { kind: 'unknown', error: text };
}
