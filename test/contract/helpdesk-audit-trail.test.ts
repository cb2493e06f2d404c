// Goal: whatever a caller changes leaves one entry in the log, with who it was and which request, and no text of anybody.
// Method: one call of every route that is no GET; a new one fails until it has its line here.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../lib/core/http/route.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';
import { setAsideMail } from '../support/set-aside-mail.ts';
import { type Desk, MINE, NOW, openHelpdesk } from './helpdesk-host.ts';

const ROUTES: readonly Route[] = HELPDESK_ROUTES;
/** In every text that is sent: none of it may be in the log. */
const SECRET = 'xyzzy';
const AGENT = 'desk/7 (contract)';
const LATER = new Date(NOW + 3_600_000).toISOString();

interface Line {
  /** Of the record in the path; a fresh one where it is to be made. */
  readonly on?: 'aside' | 'ticket' | 'contact' | 'article' | 'webhook' | 'key' | 'invitation' | 'member';
  readonly body?: Readonly<Record<string, unknown>>;
  readonly before?: (desk: Desk, id: string) => Promise<unknown>;
}

const snooze = (desk: Desk, id: string) =>
  desk.ask('POST', `/api/tickets/${id}/snooze`, { body: { snoozed_until: LATER } });
const ticketBody = { customer_email: `${SECRET}@b.co`, subject: SECRET, body: SECRET, customer_name: SECRET };
const articleBody = { title: 'Refunds', content: SECRET };
const webhookBody = { url: `https://example.com/${SECRET}` };

// Route → what its one entry is called, and how the route is called.
const LINES: Readonly<Record<string, readonly [action: string, line: Line]>> = {
  createTicket: ['ticket.created', { body: ticketBody }],
  replyTicket: ['ticket.replied', { on: 'ticket', body: { body: SECRET } }],
  closeTicket: ['ticket.closed', { on: 'ticket', body: { reason: SECRET } }],
  snoozeTicket: ['ticket.snoozed', { on: 'ticket', body: { snoozed_until: LATER } }],
  unsnoozeTicket: ['ticket.unsnoozed', { on: 'ticket', before: snooze }],
  rejectTicket: ['ticket.rejected', { on: 'ticket', body: { reason: SECRET } }],
  escalateTicket: ['ticket.escalated', { on: 'ticket' }],
  createConversation: ['ticket.created', { body: { subject: SECRET, message: SECRET } }],
  updateConversation: ['ticket.updated', { on: 'ticket', body: { status: 'open', priority: 'low' } }],
  closeConversation: ['ticket.closed', { on: 'ticket' }],
  snoozeConversation: ['ticket.snoozed', { on: 'ticket', body: { snoozed_until: LATER } }],
  unsnoozeConversation: ['ticket.unsnoozed', { on: 'ticket', before: snooze }],
  rejectConversation: ['ticket.rejected', { on: 'ticket' }],
  escalateConversation: ['ticket.escalated', { on: 'ticket' }],
  createMessage: ['ticket.replied', { on: 'ticket', body: { body: SECRET } }],
  upsertContact: ['contact.created', { body: { email: `${SECRET}2@b.co`, name: SECRET } }],
  createContact: ['contact.created', { body: { email: `${SECRET}3@b.co`, custom_fields: { a: SECRET } } }],
  updateContact: ['contact.updated', { on: 'contact', body: { phone: SECRET } }],
  eraseContact: ['contact.deleted', { on: 'contact' }],
  ingestArticle: ['article.ingested', { body: articleBody }],
  changeArticle: ['article.archived', { on: 'article', body: { status: 'archived' } }],
  createArticle: ['article.ingested', { body: articleBody }],
  updateArticle: ['article.archived', { on: 'article', body: { status: 'archived' } }],
  recordSettingsChange: ['settings.theme', { body: { action: 'settings.theme' } }],
  createAuditEntry: ['settings.theme', { body: { action: 'settings.theme' } }],
  updateAccount: ['account.updated', { body: { config: { own: SECRET } } }],
  addWebhook: ['webhook.created', { body: webhookBody }],
  changeWebhook: ['webhook.updated', { on: 'webhook', body: { active: false } }],
  removeWebhook: ['webhook.deleted', { on: 'webhook' }],
  renewWebhookSecret: ['webhook.secret_rotated', { on: 'webhook' }],
  tryWebhook: ['webhook.tested', { on: 'webhook', body: { payload: { a: SECRET } } }],
  createWebhook: ['webhook.created', { body: webhookBody }],
  updateWebhook: ['webhook.updated', { on: 'webhook', body: { active: false } }],
  deleteWebhook: ['webhook.deleted', { on: 'webhook' }],
  rotateWebhookSecret: ['webhook.secret_rotated', { on: 'webhook' }],
  testWebhook: ['webhook.tested', { on: 'webhook' }],
  createHelpdeskKey: ['api_key.created', { body: { name: 'Shop', scopes: ['read:runs'] } }],
  revokeHelpdeskKey: ['api_key.revoked', { on: 'key' }],
  acceptSetAsideMail: ['mail.accepted', { on: 'aside' }],
  createRun: ['run.requested', { on: 'ticket' }],
  inviteMember: ['invitation.created', { body: { email: `${SECRET}4@b.co`, role: 'member' } }],
  withdrawInvitation: ['invitation.withdrawn', { on: 'invitation' }],
  changeMember: ['member.role_changed', { on: 'member', body: { role: 'member' } }],
  removeMember: ['member.removed', { on: 'member' }],
};

/** Joining has a test of its own: it takes a session. The others are work for a worker once more: they change no record. */
const NO_CHANGE: readonly string[] = ['acceptInvitation', 'resendWebhookDelivery', 'retryWebhookDelivery'];

let desk: Desk;
beforeAll(async () => {
  desk = await openHelpdesk();
});

async function made(on: NonNullable<Line['on']>): Promise<string> {
  const at = desk.stores.contacts.all().length;
  if (on === 'aside') {
    const mail = setAsideMail(MINE, 'spam');
    await desk.stores.setAside.put(mail);
    return mail.id;
  }
  if (on === 'member') {
    await desk.config.putMember({ sub: 'newcomer', merchantId: MINE, role: 'admin' });
    return 'newcomer';
  }
  const [path, body] = (
    {
      ticket: ['/api/v1/conversations', { subject: SECRET, message: SECRET }],
      contact: ['/api/v1/contacts', { email: `${SECRET}-${at}@b.co` }],
      article: ['/api/v1/articles', articleBody],
      webhook: ['/api/v1/webhooks', webhookBody],
      key: ['/api/v1/api-keys', { name: 'Shop', scopes: ['read:runs'] }],
      invitation: ['/api/v1/members/invitations', { email: `${SECRET}5@b.co`, role: 'member' }],
    } as const
  )[on];
  const reply = await desk.ask('POST', path, { body });
  expect(reply.status, reply.text).toBe(201);
  const record = reply.body as Readonly<Record<string, { id?: string }>> & { readonly id?: string };
  return String(record.id ?? (record.webhook ?? record.api_key ?? record.article ?? record.invitation)?.id);
}

it('has a line for every route that changes anything', () => {
  const changing = ROUTES.filter(({ method }) => method !== 'GET').map(({ id }) => id);
  expect([...Object.keys(LINES), ...NO_CHANGE].sort()).toEqual(changing.sort());
});

describe.each(Object.entries(LINES))('%s', (routeId, [action, { on, body, before }]) => {
  it(`leaves one entry, ${action}, of who asked, from where and in which request`, async () => {
    const route = ROUTES.find(({ id }) => id === routeId);
    const id = on === undefined ? '' : await made(on);
    await before?.(desk, id);
    const known = new Set(desk.stores.audit.all().map((entry) => entry.id));
    const names = ['createMessage', 'createRun'].includes(routeId);
    const sent = names ? { ...body, ticket_id: id } : body;
    const url = route?.path.replace(':id', id) ?? '';
    const headers = { 'user-agent': AGENT };
    const reply = await desk.ask(route?.method ?? '', url, {
      headers,
      ...(sent === undefined ? {} : { body: sent }),
    });
    expect(reply.status, reply.text).toBeLessThan(300);
    const entries = desk.stores.audit
      .all()
      // Of what follows by itself, such as a customer who becomes a contact, the system is the actor.
      .filter((entry) => !known.has(entry.id) && entry.actor.type !== 'system');
    expect(entries.map((entry) => entry.action)).toEqual([action]);
    expect(entries[0]).toMatchObject({
      workspaceId: MINE,
      actor: { type: 'api_key', id: 'key_1' },
      requestId: reply.headers['x-request-id'],
      ip: '127.0.0.1',
      userAgent: AGENT,
    });
    expect(JSON.stringify(entries)).not.toContain(SECRET);
  });
});

it('holds nothing of what is refused', async () => {
  const before = desk.stores.audit.all().length;
  for (const route of ROUTES.filter(
    ({ method }) => method === 'POST' || method === 'PATCH' || method === 'PUT',
  ))
    await desk.ask(route.method, route.path.replaceAll(/:\w+/g, 'nobody'), {
      body: { a: SECRET, status: 7 },
    });
  const added = desk.stores.audit.all().slice(before);
  expect(added.map(({ action }) => action)).toEqual([]);
});
