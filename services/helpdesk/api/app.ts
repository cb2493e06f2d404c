// The helpdesk's API: every route of its contract, each with its handler.
import type { FastifyInstance } from 'fastify';
import { createHttpApp } from '#lib/adapters/fastify/http-app.ts';
import { auditedHandlers } from '#lib/core/audit-log/audited.ts';
import { ERRORS } from '#lib/core/http/errors.ts';
import type { Handlers } from '#lib/core/http/handler.ts';
import { memberHandlers } from '#lib/core/tenancy/member-handlers.ts';
import { HELPDESK_ACCESS } from '#lib/helpdesk/domain/account/scopes.ts';
import { HELPDESK_KEY_ROUTES } from '#lib/helpdesk/routes/api-keys.ts';
import { HELPDESK_ROUTES } from '#lib/helpdesk/routes/every-route.ts';
import { HELPDESK_MEMBER_ROUTES } from '#lib/helpdesk/routes/members.ts';
import { helpdeskAudits } from './audits.ts';
import { authenticate } from './authenticate.ts';
import { denialsOf } from './denials.ts';
import type { HelpdeskApiPorts } from './ports.ts';
import { accountHandlers } from './routes/accounts.ts';
import { helpdeskKeyHandlers } from './routes/api-keys.ts';
import { articleHandlers } from './routes/articles.ts';
import { helpdeskAuditHandlers } from './routes/audit-log.ts';
import { contactHandlers } from './routes/contacts.ts';
import { conversationHandlers } from './routes/conversations.ts';
import { helpdeskDocumentHandlers } from './routes/documents.ts';
import { mailHandlers } from './routes/mail.ts';
import { meHandlers } from './routes/me.ts';
import { messageHandlers } from './routes/messages.ts';
import { privacyHandlers } from './routes/privacy.ts';
import { runHandlers } from './routes/runs.ts';
import { ticketHandlers } from './routes/tickets.ts';
import { webhookHandlers } from './routes/webhooks.ts';

type HelpdeskRoute = (typeof HELPDESK_ROUTES)[number];

const NO_ATTACHMENTS = 'is not supported: send a link in the text, nothing was written';
/**
 * Refused on every route: if they were ignored silently, the caller would believe that the customer got the
 * attachments.
 */
const REFUSED_FIELDS = { attachments: NO_ATTACHMENTS, attachment: NO_ATTACHMENTS } as const;

/** Credentials that may fail in a minute from one address. */
const FAILED_PER_MINUTE = 60;

export function buildHelpdeskApi(ports: HelpdeskApiPorts): FastifyInstance {
  const audits = helpdeskAudits(ports.audits, ports.stores);
  const tenancy = { ...ports, config: { ...ports.config, ...audits }, keepsRequest: true } as const;
  const people = auditedHandlers(
    [...HELPDESK_KEY_ROUTES, ...HELPDESK_MEMBER_ROUTES],
    { ...helpdeskKeyHandlers(tenancy), ...memberHandlers(tenancy, HELPDESK_ACCESS) },
    tenancy,
  );
  const handlers: Handlers<HelpdeskRoute> = {
    ...ticketHandlers(ports),
    ...conversationHandlers(ports),
    ...messageHandlers(ports),
    ...mailHandlers(ports),
    ...contactHandlers(ports),
    ...privacyHandlers(ports),
    ...articleHandlers(ports),
    ...runHandlers(ports),
    ...helpdeskAuditHandlers(ports),
    ...accountHandlers(ports),
    ...meHandlers(ports),
    ...people,
    ...webhookHandlers(ports),
    ...helpdeskDocumentHandlers(),
  };
  return createHttpApp<HelpdeskRoute>({
    routes: HELPDESK_ROUTES,
    handlers,
    failures: { style: 'plain', errors: ERRORS },
    queryOnce: true,
    refusedFields: REFUSED_FIELDS,
    authenticate: (authorization, key, merchant) => authenticate(authorization, key, merchant, ports),
    limits: { limiter: ports.limiter, clock: ports.clock, failedPerMinute: FAILED_PER_MINUTE },
    idempotency: { store: ports.idempotency, vault: ports.vault, clock: ports.clock, random: ports.random },
    origins: ports.origins,
    denied: denialsOf(ports),
    ...(ports.answered === undefined ? {} : { answered: ports.answered }),
    report: ports.report,
  });
}
