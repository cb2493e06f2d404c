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
  /** The domain of replies, out and in; absent: tickets have no e-mail. */
  mailDomain: 'HELPDESK_MAIL_DOMAIN',
  /** The bucket with the originals of inbound mails. */
  mailBucket: 'HELPDESK_MAIL_BUCKET',
  /** The queue of inbound mails. */
  inboundMailQueueUrl: 'HELPDESK_INBOUND_MAIL_QUEUE_URL',
  /** The SES configuration set that publishes the events of our mails. */
  mailConfigurationSet: 'HELPDESK_MAIL_CONFIGURATION_SET',
  /** The mail provider deduplicates by id: local hosts only. */
  mailIdempotent: 'HELPDESK_MAIL_IDEMPOTENT',
  /** Private networks that webhooks may reach: local hosts only. */
  webhookPrivateCidrs: 'WEBHOOK_ALLOW_PRIVATE_CIDRS',
} as const;

/** Indexes of the records' table: keys only. */
export const HELPDESK_INDEX = {
  /** Members of a list, oldest first (`lp`, `ls`). */
  lists: 'lists',
  /** Tickets whose customer waits, the longest waiting first (`wp`, `wa`), sparse. */
  waiting: 'waiting',
  /** Records that are due, by workspace and time (`dp`, `da`), sparse. */
  due: 'due',
} as const;
