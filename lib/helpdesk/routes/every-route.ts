// Every route of the helpdesk. The server, OpenAPI, the client and the reference fold from this list.
import { ACCOUNT_ROUTES } from './account.ts';
import { HELPDESK_KEY_ROUTES } from './api-keys.ts';
import { ARTICLE_ROUTES } from './articles.ts';
import { HELPDESK_AUDIT_ROUTES } from './audit-log.ts';
import { CONTACT_ROUTES } from './contacts.ts';
import { CONVERSATION_ROUTES } from './conversations.ts';
import { HELPDESK_DOCUMENT_ROUTES } from './documents.ts';
import { MAIL_ROUTES } from './mail.ts';
import { ME_ROUTES } from './me.ts';
import { HELPDESK_MEMBER_ROUTES } from './members.ts';
import { MESSAGE_ROUTES } from './messages.ts';
import { PRIVACY_ROUTES } from './privacy.ts';
import { RUN_ROUTES } from './runs.ts';
import { TICKET_ROUTES } from './tickets.ts';
import { WEBHOOK_ROUTES } from './webhooks.ts';

export const HELPDESK_ROUTES = [
  ...TICKET_ROUTES,
  ...CONVERSATION_ROUTES,
  ...MESSAGE_ROUTES,
  ...MAIL_ROUTES,
  ...CONTACT_ROUTES,
  ...PRIVACY_ROUTES,
  ...ARTICLE_ROUTES,
  ...RUN_ROUTES,
  ...HELPDESK_AUDIT_ROUTES,
  ...ACCOUNT_ROUTES,
  ...ME_ROUTES,
  ...WEBHOOK_ROUTES,
  ...HELPDESK_KEY_ROUTES,
  ...HELPDESK_MEMBER_ROUTES,
  ...HELPDESK_DOCUMENT_ROUTES,
] as const;
