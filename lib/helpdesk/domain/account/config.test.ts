// Goal: reading never fails for any stored configuration, and picks out the known fields.
import { expect, it } from 'vitest';
import { ACCOUNT_CONFIG_DEFAULT, accountConfigOf, accountConfigSchema } from './config.ts';

it.each([
  ['{}', {}],
  ['', {}],
  ['[]', {}],
  ['null', {}],
  ['{"ticket_prefix":"ORDER"}', { ticketPrefix: 'ORDER' }],
  ['{"ticket_prefix":"order"}', {}],
  ['{"ticket_prefix":7,"ai":"no"}', {}],
  ['{"ai":{"auto_draft":false,"tone":"kind"}}', { autoDraft: false }],
  ['{"ai":{"auto_draft":"no"}}', {}],
  ['{"snooze_on_customer_reply":"keep"}', { keepsSnooze: true }],
  ['{"snooze_on_customer_reply":"cancel"}', {}],
  ['{"retention_days":30}', { retentionDays: 30 }],
  ['{"retention_days":29}', {}],
  ['{"retention_days":3651}', {}],
  ['{"retention_days":null}', {}],
])('%s is read', (config, read) => {
  expect(accountConfigOf({ config })).toEqual({ ...ACCOUNT_CONFIG_DEFAULT, ...read });
});

it('of a workspace without an account is the default', () => {
  expect(accountConfigOf(null)).toEqual(ACCOUNT_CONFIG_DEFAULT);
});

it('keeps what it does not know', () => {
  const config = { own: { a: [null] }, ai: { auto_draft: true, tone: 'kind' }, ticket_prefix: 'A' };
  expect(accountConfigSchema.parse(config)).toEqual(config);
});
