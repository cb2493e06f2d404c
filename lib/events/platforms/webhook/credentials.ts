import * as z from 'zod';
import { webhookUrl } from '#lib/core/webhooks/url.ts';
import { templateFault } from './template.ts';

const BODY_MAX_CHARS = 8_000;

/** Which addresses a name stands for is checked at each call; here, what the name itself says. */
function hostFault({ protocol, username, password, hostname }: URL): string | null {
  if (protocol !== 'https:') return 'must begin with https://';
  if (username !== '' || password !== '') return 'must not have a user name or password';
  return /^[^.]+(?:\.[^.]+)*\.(?!\d+$)[^.]+\.?$/.test(hostname) ? null : 'must have a public host name';
}

export const webhookCredentials = z.strictObject({
  url: z
    .string()
    .min(1)
    .superRefine((text, context) => {
      const read = webhookUrl(text, hostFault);
      if ('problem' in read) context.addIssue({ code: 'custom', message: read.problem });
    })
    .meta({
      label: 'URL',
      help: 'Where your server takes POST requests, by https. Each event is one request; any 2xx answer takes it.',
      destination: true,
    }),
  secret: z
    .string()
    .regex(/^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, {
      message: 'must be whsec_ and 24 to 64 bytes in base64',
    })
    .meta({
      label: 'Signing secret',
      help: 'whsec_ and random bytes in base64, as openssl rand -base64 32 prints them. Your server checks each signature with it.',
      secret: true,
    }),
  authorization: z
    .string()
    .min(8)
    .max(2_048)
    .regex(/^[!-~]+(?: [!-~]+)*$/, 'must be visible ASCII characters, single spaces between')
    .optional()
    .meta({
      label: 'Authorization header',
      help: 'Where your server asks for one, whole: Bearer and its token, for example.',
      secret: true,
    }),
  body: z
    .string()
    .max(BODY_MAX_CHARS, `must have at most ${BODY_MAX_CHARS} characters`)
    .superRefine((text, context) => {
      const message = templateFault(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .optional()
    .meta({
      label: 'Body',
      help: 'Another form of the request, in JSON: "{{data.order_id}}" stands for that value of the event, and is left out where there is none. Empty: the whole event.',
    }),
  incidents: z.boolean().optional().meta({
    label: 'Incidents too',
    help: 'Your server is told as well what is wrong with any connection or limit, and when it is over: type incident.opened and incident.closed, signed as events are.',
  }),
});

export type WebhookCredentials = z.output<typeof webhookCredentials>;
