// Names that the CDK app, the helpdesk's functions and the embedded host share. What exists, and how it is wired, is only in
// the CDK app.

/** Environment variables of this product's functions, besides those of core (lib/core/topology.ts). */
export const HELPDESK_ENV = {
  recordsTable: 'HELPDESK_TABLE',
  auditTable: 'HELPDESK_AUDIT_TABLE',
  deliveriesQueueUrl: 'HELPDESK_DELIVERIES_QUEUE_URL',
  runsQueueUrl: 'HELPDESK_RUNS_QUEUE_URL',
  mailsQueueUrl: 'HELPDESK_MAILS_QUEUE_URL',
  tasksQueueUrl: 'HELPDESK_TASKS_QUEUE_URL',
  /** Under which replies go out and come in; absent: tickets have no e-mail. */
  mailDomain: 'HELPDESK_MAIL_DOMAIN',
  /** Where originals of inbound mails lie. */
  mailBucket: 'HELPDESK_MAIL_BUCKET',
  /** Of mails that came in. */
  inboundMailQueueUrl: 'HELPDESK_INBOUND_MAIL_QUEUE_URL',
  /** Of SES: whose events tell what became of a mail. */
  mailConfigurationSet: 'HELPDESK_MAIL_CONFIGURATION_SET',
  /** Whoever sends mails sends each once, however often it is asked: laptops only. */
  mailIdempotent: 'HELPDESK_MAIL_IDEMPOTENT',
  /** Networks that webhooks may reach although they are private: laptops only. */
  webhookPrivateCidrs: 'WEBHOOK_ALLOW_PRIVATE_CIDRS',
} as const;

/** Indexes of the records' table: keys only. */
export const HELPDESK_INDEX = {
  /** Members of a list, oldest first (`lp`, `ls`). */
  lists: 'lists',
  /** Tickets whose customer waits, the longest waiting first (`wp`, `wa`), sparse. */
  waiting: 'waiting',
  /** What somebody must look at again, by workspace and time (`dp`, `da`), sparse. */
  due: 'due',
} as const;
