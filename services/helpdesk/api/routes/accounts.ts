// The workspace as its agents configure it. Guarantees: what is not given stays; what changes nothing writes nothing.
import { meetsIfMatch } from '#lib/core/http/etag.ts';
import type { Handlers } from '#lib/core/http/handler.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import type { Account } from '#lib/helpdesk/domain/account/account.ts';
import { accountConfigOf } from '#lib/helpdesk/domain/account/config.ts';
import { auditEntry, changesOf } from '#lib/helpdesk/domain/audit/audit.ts';
import type { OutboxEntry } from '#lib/helpdesk/domain/outbox.ts';
import { accountEvent } from '#lib/helpdesk/domain/webhooks/event-payload.ts';
import { accountView } from '#lib/helpdesk/domain/wire-views.ts';
import type { ACCOUNT_ROUTES } from '#lib/helpdesk/routes/account.ts';
import { type Change, change } from '#lib/helpdesk/work/commit.ts';
import { accountOf, defaultAccount } from '../accounts.ts';
import { answered, answeredUnlessKnown, type Shown, shown } from '../answers.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import type { Asked } from '../tickets/act-on-ticket.ts';

type Accounts = Handlers<(typeof ACCOUNT_ROUTES)[number]>;
type Given = Parameters<Accounts['updateAccount']>[0]['body'];

const RETENTION_FIRST_MS = 3_600_000;

export function accountHandlers(ports: HelpdeskApiPorts): Accounts {
  return {
    async getAccount({ caller, headers }) {
      return answeredUnlessKnown(shown(await accountOf(caller.merchantId, ports)), headers, accountView);
    },

    async updateAccount(call) {
      const { headers, body } = call;
      const workspaceId = call.caller.merchantId;
      const unwritten = await defaultAccount(workspaceId, ports);
      const written = await change<Account, Shown<Account> | null>(
        ports.stores.accounts,
        { workspaceId, id: workspaceId },
        (stored): Change<Account, Shown<Account> | null> => {
          const before = stored ?? unwritten;
          const current = shown(before);
          if (!meetsIfMatch(headers['if-match'], current.etag)) return { result: null };
          const nowMs = ports.clock.now();
          const record = { ...before.record, ...givenOf(body) };
          const fields = Object.keys(record) as (keyof Account)[];
          if (fields.every((field) => record[field] === before.record[field])) return { result: current };
          const after = { ...record, updatedAtMs: nowMs };
          const version = before.version + 1;
          const outbox = followingOf(before.record, after, version, call, ports);
          return {
            record: after,
            outbox,
            dueAtMs: retentionTimer(after, nowMs),
            result: shown({ ...before, record: after, version }),
          };
        },
        ports,
      );
      return written === null ? { failure: 'precondition_failed' } : answered(written, accountView);
    },
  };
}

/** When tickets that are kept no longer are looked for first; soon, so that changing an account does not put it off. */
const retentionTimer = (account: Account, nowMs: number): number | null =>
  accountConfigOf(account).retentionDays === null ? null : nowMs + RETENTION_FIRST_MS;

function givenOf({ name, default_language: language, default_timezone: timezone, config }: Given) {
  return {
    ...withoutUndefined({ name, defaultLanguage: language, defaultTimezone: timezone }),
    ...(config === undefined ? {} : { config: JSON.stringify(config) }),
  };
}

function followingOf(
  before: Account,
  after: Account,
  version: number,
  asked: Asked,
  { clock, random }: HelpdeskApiPorts,
): readonly OutboxEntry[] {
  const atMs = clock.now();
  const newId = (): string => random.uuidv7(atMs);
  const changes = changesOf(before, after, {
    shown: ['name', 'defaultLanguage', 'defaultTimezone'],
    hidden: ['config'],
  });
  const audited = { action: 'account.updated', resourceType: 'account', resourceId: after.id, changes };
  return [
    { kind: 'audit', entry: auditEntry(asked, audited, { id: newId(), atMs }) },
    accountEvent(after, { version, atMs, newId }),
  ];
}
