/** Kinds of records that can be due. */
export const DUE_KINDS = [
  'ticket',
  'contact',
  'article',
  'account',
  'webhooks',
  'run',
  'delivery',
  'mail',
  'job',
] as const;
export type DueKind = (typeof DUE_KINDS)[number];
