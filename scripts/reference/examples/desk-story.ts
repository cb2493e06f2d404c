// One story of a support workspace, told through every operation of the helpdesk: it sets itself up, answers customers, writes down what
// it knows, and forgets one of them. What is kept of it are the examples of helpdesk-openapi.json.
import type { RouteExamples } from '#lib/core/http/route.ts';
import { createConversation } from '#lib/helpdesk/routes/conversations.ts';
import { inviteMember } from '#lib/helpdesk/routes/members.ts';
import { createTicket } from '#lib/helpdesk/routes/tickets.ts';
import { bodyOf, MINE } from '#test/contract/helpdesk-host.ts';
import { setAsideMail } from '#test/support/set-aside-mail.ts';
import { type Desk, openDesk } from './desk.ts';
import { deskWebhooks } from './desk-webhooks.ts';
import { COLLEAGUE } from './shop.ts';

/** Not to be taken for real ones. */
const DUMMY_KEY = `hdk_live_${'EXAMPLE'.repeat(6)}E`;
const DUMMY_TOKEN = 'EXAMPLE-TOKEN-OF-AN-INVITATION';
const DUMMY_CURSOR = 'EXAMPLE-CURSOR-OF-THE-NEXT-PAGE';
/** As much of a key as is shown later. */
const PREFIX_CHARS = 13;

const LATER = '2026-11-23T09:00:00Z';
const customer = { customer_email: 'jane@example.com', customer_name: 'Jane Doe' };

async function begins(desk: Desk): Promise<void> {
  await desk.keep('getHelpdeskHealth');
  await desk.keep('getMe');
  await desk.keep('getAccount');
  await desk.keep('updateAccount', {
    body: { name: 'Lamp Shop', default_timezone: 'Europe/Berlin', config: { ticket_prefix: 'LAMP' } },
  });
  const { secret } = await desk.keep('createHelpdeskKey', {
    body: { name: 'Contact form', scopes: ['write:tickets', 'read:tickets'] },
  });
  desk.hide(secret, DUMMY_KEY);
  desk.hide(secret.slice(0, PREFIX_CHARS), DUMMY_KEY.slice(0, PREFIX_CHARS));
  const { api_keys: keys } = await desk.keep('listHelpdeskKeys', { entries: 1 });
  await desk.keep('revokeHelpdeskKey', { params: { id: keys[0]?.id ?? '' } });
}

async function articles(desk: Desk): Promise<void> {
  const article = { title: 'Returns', content: 'Lamps may be returned within 30 days.', tags: ['orders'] };
  const change = { status: 'published' };
  const older = (await desk.keep('ingestArticle', { body: article })).article.id;
  await desk.keep('findArticles', { query: { search: 'returns', limit: '1' } });
  await desk.keep('readArticle', { params: { id: older } });
  await desk.keep('changeArticle', { params: { id: older }, body: change });
  const { id } = await desk.keep('createArticle', { body: { ...article, title: 'Refunds' } });
  await desk.keep('listArticles', { query: { status: 'draft', limit: '1' } });
  await desk.keep('getArticle', { params: { id } });
  await desk.keep('updateArticle', { params: { id }, body: change });
}

async function tickets(desk: Desk): Promise<void> {
  const body = { ...customer, subject: 'Where is my lamp?', body: 'I ordered it a week ago.' };
  const params = { id: (await desk.keep('createTicket', { body })).ticket_id };
  const spam = { method: 'POST', url: '/api/tickets', body: { ...body, customer_email: 'bob@spam.example' } };
  const other = bodyOf(createTicket, await desk.call(spam, false)).ticket_id;
  await desk.keep('listTickets', { query: { status: 'pending', limit: '1' } });
  await desk.keep('getTicket', { params });
  await desk.keep('replyTicket', { params, body: { body: 'It left us today.', public: true } });
  await desk.keep('snoozeTicket', { params, body: { snoozed_until: LATER } });
  await desk.keep('unsnoozeTicket', { params });
  await desk.keep('escalateTicket', { params });
  await desk.keep('closeTicket', { params, body: { reason: 'Delivered' } });
  await desk.keep('rejectTicket', { params: { id: other }, body: { reason: 'Spam' } });
}

async function conversations(desk: Desk): Promise<void> {
  const body = { ...customer, subject: 'The lamp is broken', message: 'It came in two parts.' };
  const { id } = await desk.keep('createConversation', { body });
  const params = { id };
  const spam = { method: 'POST', url: '/api/v1/conversations', body: { ...body, subject: 'Win a prize' } };
  const other = bodyOf(createConversation, await desk.call(spam)).id;
  await desk.keep('listConversations', { query: { orderBy: 'longest_waiting', limit: '1', counts: 'true' } });
  await desk.keep('getConversation', { params });
  await desk.keep('updateConversation', { params, body: { priority: 'high' } });
  await desk.keep('createMessage', { body: { ticket_id: id, body: 'A new one is on its way.' } });
  await desk.keep('listMessages', { query: { ticket_id: id, limit: '2' } });
  const run = await desk.keep('createRun', { body: { ticket_id: id } });
  await desk.keep('getRun', { params: { id: run.id } });
  await desk.keep('listRuns', { query: { ticket_id: id, limit: '1' } });
  await desk.keep('snoozeConversation', { params, body: { snoozed_until: LATER } });
  await desk.keep('unsnoozeConversation', { params });
  await desk.keep('escalateConversation', { params });
  await desk.keep('closeConversation', { params, body: { reason: 'Replaced' } });
  await desk.keep('rejectConversation', { params: { id: other }, body: { reason: 'Spam' } });
}

async function contacts(desk: Desk): Promise<void> {
  const ada = { email: 'ada@example.com', company: 'Analytical Engines', phone: '+49 30 1234567' };
  await desk.keep('upsertContact', { body: { ...ada, firstname: 'Ada', metadata: { list: 'wholesale' } } });
  await desk.keep('findContacts', { query: { list: 'wholesale', limit: '1' } });
  const fields = { custom_fields: { customer_no: 'C-7' } };
  const { id: bob } = await desk.keep('createContact', {
    body: { email: 'bob@example.com', name: 'Bob', ...fields },
  });
  await desk.keep('getContact', { params: { id: bob } });
  await desk.keep('updateContact', { params: { id: bob }, body: { company: 'Bob and Sons' } });
  const found = await desk.keep('listContacts', { query: { email: customer.customer_email, limit: '1' } });
  const params = { id: found.contacts[0]?.id ?? '' };
  await desk.keep('exportContact', { params, entries: 1 });
  await desk.keep('eraseContact', { params });
  const mail = setAsideMail(MINE, 'bulk');
  await desk.putAside(mail);
  await desk.keep('listSetAsideMail', { query: { limit: '1' } });
  await desk.keep('acceptSetAsideMail', { params: { id: mail.id } });
}

async function team(desk: Desk): Promise<void> {
  const invited = { role: 'agent', email: 'eve@shop.example' };
  const { token } = await desk.keep('inviteMember', { body: invited });
  desk.hide(token, DUMMY_TOKEN);
  const another = { ...invited, email: 'bob@shop.example' };
  const open = await desk.call({ method: 'POST', url: '/api/v1/members/invitations', body: another });
  await desk.keep('acceptInvitation', { headers: { authorization: `Bearer ${COLLEAGUE}` }, body: { token } });
  await desk.keep('listMembers', { entries: 1 });
  await desk.keep('withdrawInvitation', { params: { id: bodyOf(inviteMember, open).invitation.id } });
  await desk.keep('changeMember', { params: { id: COLLEAGUE }, body: { role: 'admin' } });
  await desk.keep('removeMember', { params: { id: COLLEAGUE } });
}

async function looksBack(desk: Desk): Promise<void> {
  const body = { action: 'settings.theme', changes: { theme: { from: 'light', to: 'dark' } } };
  await desk.keep('recordSettingsChange', { body });
  await desk.keep('createAuditEntry', { body });
  const older = await desk.keep('findAuditEntries', { query: { resource_type: 'member', limit: '1' } });
  const newer = await desk.keep('listAuditEntries', { query: { limit: '1', facets: 'action' }, entries: 2 });
  // It is encrypted, and no two encryptions are alike.
  for (const { next_cursor: cursor } of [older, newer]) if (cursor !== null) desk.hide(cursor, DUMMY_CURSOR);
  await desk.keep('getHelpdeskDocs');
  await desk.keep('getHelpdeskDocsStart');
}

/** By the id of the operation. The same bytes every time. */
export async function helpdeskExamples(): Promise<Readonly<Record<string, RouteExamples>>> {
  const desk = await openDesk();
  for (const part of [begins, deskWebhooks, articles, tickets, conversations, contacts, team, looksBack]) {
    await part(desk);
    desk.clock.advance(60_000);
  }
  return desk.examples();
}
