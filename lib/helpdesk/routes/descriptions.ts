// What each operation of the helpdesk does, guarantees and asks for, in the sentences of its OpenAPI document. They stand apart from
// the routes because a function carries those from its start on, and only the document needs the sentences.
// Refuses to compile for an operation without one.
import { OF_DOCUMENTS, OF_KEYS, OF_MEMBERS } from '../../core/routes/descriptions.ts';
import type { HELPDESK_ROUTES } from './every-route.ts';

/** An older path does what its twin under v1 does. */
const TWINS = {
  listArticles:
    'Articles of any status. A search finds whole words and the beginning of the last one. Very large pages cut contents short and say so.',
  createArticle:
    'Adds an article, as a draft unless its status says otherwise; only published ones are used for drafts of replies. Its slug is made from the title and never changes. Without an `Idempotency-Key` a repeated request adds another.',
  getArticle:
    'Shows the whole content of an article, with its `ETag`; with `If-None-Match` an unchanged one is answered 304.',
  updateArticle:
    'Changes the fields that are given; lists and contents are replaced whole. The same values again change nothing. With `If-Match` an article that changed meanwhile is left alone (412).',
  listAuditEntries:
    'Every change of the workspace, with who made it and from where; what people wrote is hidden. Exact totals and facets cover the newest 10,000 entries. Needs `manage:workspace`.',
  createAuditEntry:
    'Notes a change of settings that another system made, such as a dashboard of yours. Its source is `client`, and who and when are those of the request. Without an `Idempotency-Key` a repeated request notes it twice.',
  listWebhooks:
    'All webhooks with their health. Their secrets are not shown again; `secret_hint` is the end of each.',
  createWebhook:
    'Registers an address to which events are posted, signed with the secret that this answer shows once. Nothing is sent to check it: `test` does that. Without an `Idempotency-Key` a repeated request makes another.',
  getWebhook:
    'Shows a webhook and its health: when it last took an event, when it last failed, and why it is disabled.',
  updateWebhook:
    'Changes what is given. `active: true` takes up a webhook that was disabled and forgets its failures; the secret stays. The same values again change nothing.',
  deleteWebhook:
    'Removes a webhook for good, and what waits for it is not sent. A second call is answered 404.',
  rotateWebhookSecret:
    'Makes a new secret, shown in this answer only. For 24 hours events carry signatures of both, so that a receiver can change over without missing one. Each call makes another.',
  testWebhook:
    'Posts one made-up event now and says whether the receiver answered 2xx in time. It is listed among the deliveries as `test` and never sent again.',
  listWebhookDeliveries:
    'Each event that was sent or waits, with its attempts and the last answer of the receiver.',
  retryWebhookDelivery:
    'Sends the same event with the same id, so that a receiver can tell it from a new one. An attempt that is under way stays the only one. Tests are not repeated.',
} as const;

const older = (id: keyof typeof TWINS): string => `${TWINS[id]} The older path of \`${id}\`.`;

export const HELPDESK_DESCRIPTIONS: Readonly<Record<(typeof HELPDESK_ROUTES)[number]['id'], string>> = {
  ...TWINS,
  findArticles: older('listArticles'),
  ingestArticle: older('createArticle'),
  readArticle: older('getArticle'),
  changeArticle: older('updateArticle'),
  findAuditEntries: older('listAuditEntries'),
  recordSettingsChange: older('createAuditEntry'),
  findWebhooks: older('listWebhooks'),
  addWebhook: older('createWebhook'),
  readWebhook: older('getWebhook'),
  changeWebhook: older('updateWebhook'),
  removeWebhook: older('deleteWebhook'),
  renewWebhookSecret: older('rotateWebhookSecret'),
  tryWebhook: older('testWebhook'),
  findWebhookDeliveries: older('listWebhookDeliveries'),
  resendWebhookDelivery: older('retryWebhookDelivery'),
  listTickets:
    'Each record as it is at this moment, with the older statuses. A search finds whole words and the beginning of the last one. Counting ends at 10,000, and `X-Total-Capped` says so.',
  createTicket:
    'Opens a ticket with the customer’s first message, and makes the contact of the address where there is none. Without an `Idempotency-Key` a repeated request opens another one.',
  getTicket:
    'Shows a ticket as it is at this moment, with its `ETag`; with `If-None-Match` an unchanged one is answered 304.',
  replyTicket:
    'Writes to the customer, which makes it the customer’s turn, or with `public: false` a note that only agents see. `mail_status` says whether a mail goes out. Without an `Idempotency-Key` a repeated request writes another one.',
  closeTicket:
    'Ends the ticket and keeps the reason that is given. A message of the customer opens it again. Closed already, it stays as it is, with its first reason.',
  snoozeTicket:
    'Hides the ticket until the time given; asked again, it moves that time. It comes back by itself, and sooner when the customer writes, unless the workspace keeps snoozes.',
  unsnoozeTicket:
    'Brings a snoozed ticket back at once, escalated if it was before. One that is not snoozed stays as it is, and that is a success.',
  rejectTicket:
    'Refuses a ticket as spam or the like. Later messages of the customer are kept and do not open it again. Rejected already, it stays as it is.',
  escalateTicket:
    'Marks the ticket as urgent and waiting for an agent, also one that was snoozed or closed. Escalated already, it stays as it is.',
  findContacts:
    'The newest contacts, those of a list, or those a search finds: whole words and the beginning of the last one. It has no pages; `GET /api/v1/contacts` does.',
  upsertContact:
    'Makes the contact of the address or changes the one that is there; fields that are not given stay, and `metadata` is merged key by key. Repeated, it changes nothing more.',
  listConversations:
    'Each record as it is at this moment, with the status of a conversation and that of a ticket. A search finds whole words and the beginning of the last one. Counting ends at `count_to`, and `X-Total-Capped` says so.',
  createConversation:
    'Opens a conversation, the same record as a ticket, and with an address makes its contact as well. Without an `Idempotency-Key` a repeated request opens another one.',
  getConversation:
    'Shows a conversation as it is at this moment, with its `ETag`; with `If-None-Match` an unchanged one is answered 304.',
  updateConversation:
    'Moves a conversation to another status, or gives it another priority; what is not given stays. The same again changes nothing. With `If-Match` one that changed meanwhile is left alone (412).',
  closeConversation:
    'Ends the conversation and keeps the reason that is given. A message of the customer opens it again. Closed already, it stays as it is, with its first reason.',
  snoozeConversation:
    'Hides the conversation until the time given; asked again, it moves that time. It comes back by itself, and sooner when the customer writes, unless the workspace keeps snoozes.',
  unsnoozeConversation:
    'Brings a snoozed conversation back at once, escalated if it was before. One that is not snoozed stays as it is, and that is a success.',
  rejectConversation:
    'Refuses a conversation as spam or the like. Later messages of the customer are kept and do not open it again. Rejected already, it stays as it is.',
  escalateConversation:
    'Marks the conversation as urgent and waiting for an agent, also one that was snoozed or closed. Escalated already, it stays as it is.',
  listMessages:
    'Messages and internal notes, each with what became of its mail. A message is listed as soon as the request that wrote it is answered. An unknown conversation has none; that is no error.',
  createMessage:
    'Adds a message or a note. A reply moves the conversation to the customer’s turn and goes out by mail where `mail_status` says so; a customer’s message puts it back to the agents, unless it was rejected. Without an `Idempotency-Key` a repeated request writes another one.',
  listSetAsideMail:
    'What arrived and became no message, such as newsletters and spam, with the reason and whether it can be taken in after all.',
  acceptSetAsideMail:
    'Hands the mail to the worker that takes mails in, as if it had just come; answered before that is done. Asked again, it becomes no second message. Mails with a virus or without a sender cannot be accepted (409).',
  listContacts:
    'Contacts of the workspace. A search finds whole words and the beginning of the last one; `email` finds the one contact of an address.',
  createContact:
    'Makes the contact of an address. There is one for each: where it exists already the answer is 409 with its id in `x-conflict-id`, and nothing is changed.',
  getContact:
    'Shows what is kept of a person in one record, with its `ETag`; with `If-None-Match` an unchanged one is answered 304.',
  updateContact:
    'Changes the fields that are given; custom fields are merged key by key, and null takes one away. The same values again change nothing. With `If-Match` a contact that changed meanwhile is left alone (412).',
  exportContact:
    'Everything that is kept of a contact, for a person who asks for it. Go on with `next_cursor` until it is null. Each export is noted in the audit log. Needs `manage:workspace`.',
  eraseContact:
    'Begins to erase a contact, which cannot be undone, and is answered before that is done. Asked again while it runs, it is one erasure; afterwards the contact is not found. Needs `manage:workspace`.',
  listRuns:
    'Drafts of replies that were asked for, by hand or by a customer’s message, and what became of each.',
  getRun:
    'Shows how far a draft is. Once it is completed, `output_message_id` names the internal note with the draft, and `citations` the articles it rests on.',
  createRun:
    'Asks the language model for a draft, which becomes an internal note and is never sent by itself. Asked again before it is done, the same run is answered. Without a model the run fails and says so.',
  getAccount:
    'Name, language, time zone and configuration of the workspace, with their `ETag`. Needs `manage:workspace`.',
  updateAccount:
    'Changes the fields that are given. `config` is replaced whole: read it first, and send it back with `If-Match`, so that a change made meanwhile is not lost (412). The same values again change nothing.',
  getMe:
    'Tells any credential which workspace it belongs to, as whom it acts and what it may do. It is a way to try a key.',
  listHelpdeskKeys:
    'Every key with its scopes, who made it and when it was last used. The keys themselves are never shown again. Needs `manage:workspace`.',
  createHelpdeskKey: OF_KEYS.create,
  revokeHelpdeskKey: OF_KEYS.revoke,
  listMembers:
    'The people of the team with their roles, and the invitations that are open. Agents see it too.',
  ...OF_MEMBERS,
  getHelpdeskHealth:
    'For load balancers: a success says that the process runs, and nothing of what it depends on. Needs no credential.',
  getHelpdeskOpenApi: OF_DOCUMENTS.openApi,
  getHelpdeskDocs: OF_DOCUMENTS.docs,
  getHelpdeskDocsScript: OF_DOCUMENTS.docsScript,
  getHelpdeskDocsStart: OF_DOCUMENTS.docsStart,
  getHelpdeskDocsStyle: OF_DOCUMENTS.docsStyle,
};
