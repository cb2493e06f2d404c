// Frozen: stored bytes are read with it. Never change it: take the next number and keep this file.
import type { PackFormat } from '#lib/core/packing/packed-json.ts';

/** Records of the helpdesk, and what must follow from them. Numbered apart from what other products pack. */
export const HELPDESK_FORMAT_1: PackFormat = {
  format: 1,
  dictionary: Buffer.from(
    [
      'Thank you for your message. Please let us know if you have any other questions. Where is my order? refund return parcel delivery invoice password account ',
      '@gmail.com@outlook.com@yahoo.com@example.com","defaultLanguage":"en","defaultTimezone":"UTC","config":"{\\"ticket_prefix\\":\\"","webhooks":[{"url":"https://","events":["*"],"description":null,"active":true,"disabledReason":null,"secrets":[{"sealed":"","hint":"","expiresAtMs":null}]}]',
      '{"kind":"erase","status":"running","phase":"tickets","cursor":null,"pass":0,"counts":{"tickets":0,"messages":0,"runs":0,"deliveries":0,"mails":0},"leaseUntilMs":null,"completedAtMs":null}',
      '{"title":"","slug":"","content":"","excerpt":null,"tags":[],"status":"published","publishedAtMs":17',
      '{"status":"delivered","attempts":1,"providerId":null,"error":null,"messageId":"<@email.amazonses.com>","leaseUntilMs":17',
      '{"kind":"draft_reply","trigger":"message","triggerMessageId":"019","provider":null,"model":null,"noteId":"019","outputMessageId":null,"citations":[],"error":"superseded","usage":null,"attempts":0,"leaseUntilMs":null,"startedAtMs":null,"completedAtMs":null}',
      '{"run":{"id":"019","ticket_id":"019","status":"failed","kind":"draft_reply","trigger":"message","trigger_message_id":"019","provider":null,"model":null,"output_message_id":null,"citations":[],"error":"no AI provider configured","usage":null,"attempts":1,"created_at":"2026-","started_at":null,"completed_at":"2026-',
      '{"email":"","name":null,"firstname":null,"lastname":null,"company":null,"phone":null,"metadata":"{}","createdAtMs":17,"updatedAtMs":17}',
      '{"contact":{"id":"","email":"","name":null,"firstname":null,"lastname":null,"company":null,"phone":null,"created_at":"2026-","updated_at":"2026-","actor":{"type":"system","id":"tickets","label":"system:tickets"},"action":"contact.created","resourceType":"contact","metadata":"{\\"ticket_id\\":\\"019',
      '{"id":"019","workspaceId":"","webhookId":"019","eventId":"019","type":"ticket.created","payload":"{\\"type\\":\\"ticket.created\\",\\"timestamp\\":\\"2026-T00:00.000Z\\",\\"account_id\\":\\"\\",\\"data\\":{\\"ticket\\":{\\"id\\":\\"019","status":"pending","attempts":0,"step":0,"leaseUntilMs":null,"lastStatus":200,"lastError":null,"lastLatencyMs":null,"nextAttemptAtMs":null,"createdAtMs":17,"updatedAtMs":17}',
      '{"kind":"search","type":"ticket","recordId":"019","version":1,"add":["tkt","0000","com","where","is","my"],"remove":[]},{"kind":"contact","email":"","name":"","ticketId":"019","atMs":17},{"kind":"mail","messageId":"019","ticketId":"019","atMs":17},{"kind":"run","runId":"019","noteId":"019","ticketId":"019","messageId":"019","trigger":"message","atMs":17}',
      '"type":"ticket.escalated"ticket.rejected"ticket.snoozed"ticket.woken"ticket.closed"ticket.replied"ticket.updated"ticket.created"run.completed"run.failed"message.created"',
      '{"subject":"","customerEmail":null,"customerName":null,"contactId":null,"priority":"normal","channel":"email","state":"ESCALATED"SNOOZED"REJECTED"DONE"WAITING"OPEN"NEW","snoozedUntilMs":null,"escalatedAtMs":null,"waitingSinceMs":null,"closedAtMs":null,"closeReason":null,"messageCount":1,"lastMessageAtMs":17,"createdAtMs":17,"updatedAtMs":17,"code":"TKT-000"}',
      '[{"kind":"message","message":{"id":"019","workspaceId":"","ticketId":"019","body":"","isInternal":false,"direction":"outbound","author":{"type":"agent","id":"user:","name":null},"direction":"inbound","author":{"type":"customer","id":"","name":""},"createdAtMs":17}},',
      '{"kind":"audit","entry":{"workspaceId":"","actor":{"type":"api_key","id":"","label":"key:key_","type":"user","id":"","label":"user:"},"ip":null,"userAgent":null,"requestId":"","id":"019","atMs":17,"action":"ticket.replied","source":"server","resourceType":"ticket","resourceId":"019","changes":"{\\"status\\":{\\"from\\":\\"open\\",\\"to\\":\\"pending\\"},\\"priority\\":{\\"from\\":null,\\"to\\":\\"normal\\"}}","metadata":"{\\"message_id\\":\\"019\\",\\"direction\\":\\"outbound\\"}"}},',
      // An event as it is in an outbox, its data in the order it is written.
      '{"kind":"event","event":{"id":"019","type":"message.created","atMs":17,"version":1,"data":"{\\"ticket\\":{\\"id\\":\\"019\\",\\"ticket_code\\":\\"TKT-0000\\",\\"subject\\":\\"\\",\\"customer_email\\":\\"@example.com\\",\\"customer_name\\":\\"\\",\\"status\\":\\"sent\\",\\"status\\":\\"closed\\",\\"status\\":\\"pending\\",\\"priority\\":\\"normal\\",\\"created_at\\":\\"2026-\\",\\"updated_at\\":\\"2026-T:.000Z\\",\\"conversation_status\\":\\"resolved\\",\\"conversation_status\\":\\"pending\\",\\"channel\\":\\"api\\",\\"contact_id\\":\\"\\",\\"message_count\\":1,\\"last_message_at\\":\\"2026-T:.000Z\\",\\"waiting_since\\":null,\\"snoozed_until\\":null,\\"escalated_at\\":null,\\"closed_at\\":null,\\"close_reason\\":null},\\"message\\":{\\"id\\":\\"019\\",\\"ticket_id\\":\\"019\\",\\"internal_note\\":false,\\"direction\\":\\"outbound\\",\\"author\\":{\\"type\\":\\"agent\\",\\"id\\":\\"key:\\",\\"name\\":null},\\"created_at\\":\\"2026-T:.000Z\\",\\"body_preview\\":\\"\\"}}"}}]',
    ].join(''),
  ),
};
