// Environment variables of the functions that e-mail needs. They exist only where a domain is configured.
import * as z from 'zod';
import { CARRY_OUT_VARIABLES, helpdeskEnvironment } from '../account/environment.ts';

/** Addresses of replies need 68 of the 253 characters a name may have. */
export const MAIL_DOMAIN =
  /^(?=.{1,185}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

const shared = helpdeskEnvironment.pick({
  ...CARRY_OUT_VARIABLES,
  CONFIG_TABLE: true,
  VAULT_KEY_ARN: true,
  VAULT_KEY_FILE: true,
});

const mailDomain = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.string().regex(MAIL_DOMAIN, 'must be a domain name'))
  .meta({
    description: 'Setting `mailDomain`.',
  });

/** Of `mail-out`. */
export const mailOutEnvironment = shared.extend({
  HELPDESK_MAIL_DOMAIN: mailDomain,
  HELPDESK_MAIL_IDEMPOTENT: z.enum(['true', 'false']).optional().meta({
    description:
      'true: the sender of mails knows a mail again by its id and sends it once, so that it is asked again at once where an answer was lost. For a laptop only: SES sends it twice.',
  }),
  HELPDESK_MAIL_CONFIGURATION_SET: z.string().min(1).optional().meta({
    description:
      'SES configuration set whose events reach `mail-events`: without it a reply of unknown fate is sent again after 15 minutes, and bounces are not seen.',
  }),
});

/** Of `mail-events`. */
export const mailEventsEnvironment = shared;

/** Of `mail-in`. */
export const mailInEnvironment = shared.extend({
  HELPDESK_MAIL_DOMAIN: mailDomain,
  HELPDESK_MAIL_BUCKET: z.string().min(3).meta({ description: 'S3 bucket that SES puts mails into.' }),
});
