import * as z from 'zod';
import { webhookUrl } from '#lib/core/webhooks/url.ts';
import { token } from '../credential-fields.ts';

/** Which addresses its name stands for is checked at each call; here, what the text itself says. */
function endpointFault(url: URL): string | null {
  if (url.protocol !== 'https:') return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password';
  if (url.port !== '') return 'must use port 443';
  if (url.pathname !== '/' || url.search !== '') return 'must be a host alone, without a path';
  return /^[^.]+(?:\.[^.]+)*\.(?!\d+$)[^.]+\.?$/.test(url.hostname) ? null : 'must have a public host name';
}

export const s3Credentials = z.strictObject({
  bucket: z
    .string()
    // Without dots, which no certificate of S3 covers.
    .regex(
      /^[a-z0-9](?:[a-z0-9-]{1,61})[a-z0-9]$/,
      'must be 3 to 63 lowercase letters, digits and hyphens, without dots',
    )
    .meta({ label: 'Bucket', help: 'Its name, without s3://. It must exist already.', destination: true }),
  region: z
    .string()
    .regex(/^(?:[a-z]{2}(?:-[a-z]+)+-\d{1,3}|auto)$/, 'must be a region, such as eu-central-1')
    .meta({
      label: 'Region',
      help: 'S3 → Buckets → the bucket → Properties → AWS Region: eu-central-1, for example.',
    }),
  access_key_id: z
    .string()
    .regex(/^[\w.-]{3,128}$/, 'must be 3 to 128 letters, digits, _, . and -')
    .meta({
      label: 'Access key ID',
      help: 'IAM → Users → a user that may do s3:PutObject in this bucket and nothing else → Security credentials → Create access key.',
    }),
  secret_access_key: token(8, 256).meta({
    label: 'Secret access key',
    help: 'Shown once, when the access key is created, beside its ID.',
    secret: true,
  }),
  prefix: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/, 'must be words joined by /, of letters, digits, _ and -')
    .optional()
    .meta({
      label: 'Prefix',
      help: 'A folder for the objects: with millrace, their names begin with millrace/events/. Empty: events/.',
    }),
  account_id: z
    .string()
    .regex(/^\d{12}$/, 'must be 12 digits')
    .optional()
    .meta({
      label: 'AWS account ID',
      help: 'Of the owner of the bucket. With it nothing is written to a bucket of this name that another account has made.',
    }),
  endpoint: z
    .string()
    .min(1)
    .superRefine((text, context) => {
      const read = webhookUrl(text, endpointFault);
      if ('problem' in read) context.addIssue({ code: 'custom', message: read.problem });
    })
    .optional()
    .meta({
      label: 'Endpoint',
      help: 'Only for another store that speaks S3: its URL, such as https://s3.example.com. Empty: Amazon S3.',
    }),
});

export type S3Credentials = z.output<typeof s3Credentials>;
