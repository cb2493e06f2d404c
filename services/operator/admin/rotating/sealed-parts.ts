// What a merchant's data key seals and what lasts: credentials of connections, secrets of webhooks, addresses of people, and the keys of
// days, under which what is personal in events is. The rest expires with the key that sealed it: answers that are kept for a day,
// confirmations, cursors, and what jobs are about.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { dayKeyContext } from '#lib/core/ports/day-keys.ts';
import type { Reseal } from '#lib/core/ports/key-rotation.ts';
import { Unreadable } from '#lib/core/record/unreadable-item.ts';
import { MEMBER_EMAIL, type Team } from '#lib/core/tenancy/team.ts';
import { secretContext } from '#lib/core/webhooks/signature.ts';
import { connectionTarget } from '#lib/events/domain/connections/target.ts';
import { credentialsContext } from '#lib/events/pipeline/connections/open-connection.ts';
import type { Webhook } from '#lib/helpdesk/domain/webhooks/webhook.ts';
import type { SealedStores } from '../ports.ts';

const KINDS = ['credentials', 'webhook_secrets', 'addresses', 'days'] as const;
type Kind = (typeof KINDS)[number];
export type Counts = Readonly<Record<Kind, number>>;

interface SealedPart {
  readonly kind: Kind;
  readonly name: string;
  readonly context: string;
  readonly sealed: string;
  /** False where it is another one by now. */
  readonly put: (sealed: string) => Promise<boolean>;
}

/** Days under way; of the others several may lie in one item. */
const DAYS_AT_ONCE = 8;
/** Over all that a merchant has: what changed meanwhile is looked at again. */
const PASSES_MAX = 5;

export const countParts = (parts: readonly Pick<SealedPart, 'kind'>[]): Counts => {
  const counts = { credentials: 0, webhook_secrets: 0, addresses: 0, days: 0 };
  for (const { kind } of parts) counts[kind] += 1;
  return counts;
};

/** What cannot be read is reported, and the rest found. */
export async function sealedParts(
  id: string,
  stores: SealedStores,
  report: (unreadable: string) => void,
): Promise<readonly SealedPart[]> {
  const listings = [credentialsOf, addressesOf, webhookSecretsOf, dayKeysOf];
  const found = await Promise.all(
    listings.map((list) =>
      list(id, stores).catch((error: unknown) => {
        if (!(error instanceof Unreadable)) throw error;
        report(error.message);
        return [];
      }),
    ),
  );
  return found.flat();
}

type Listing = (id: string, stores: SealedStores) => Promise<readonly SealedPart[]>;

const credentialsOf: Listing = async (id, { credentials }) =>
  (await credentials.connections(id)).map((connection) => ({
    kind: 'credentials',
    name: `credentials of ${connectionTarget(connection)}`,
    context: credentialsContext(connection.platform),
    sealed: connection.sealedCredentials,
    put: (sealed) => credentials.putCredentials(connection, sealed),
  }));

const addressesOf: Listing = async (id, { team }) =>
  addressesIn(await team.team(id)).map((sealed) => ({
    kind: 'addresses',
    name: 'an address of the team',
    context: MEMBER_EMAIL,
    sealed,
    put: (next) => team.changeTeam(id, (now) => ({ team: withAddress(now, sealed, next), result: true })),
  }));

const dayKeysOf: Listing = async (id, { keys }) =>
  (await keys.dayKeys(id)).map(({ day, wrapped }) => ({
    kind: 'days',
    name: `the key of ${day}`,
    context: dayKeyContext(day),
    sealed: wrapped,
    put: (sealed) => keys.rewrapDay(id, day, wrapped, sealed),
  }));

const addressesIn = ({ members, invitations }: Team): readonly string[] =>
  [...members, ...invitations].flatMap(({ sealedEmail }) => sealedEmail ?? []);

/** Null where nobody has it any more: nothing is written. */
function withAddress(team: Team, seen: string, next: string): Team | null {
  if (!addressesIn(team).includes(seen)) return null;
  const renewed = <One extends { readonly sealedEmail?: string }>(one: One): One =>
    one.sealedEmail === seen ? { ...one, sealedEmail: next } : one;
  return { members: team.members.map(renewed), invitations: team.invitations.map(renewed) };
}

const webhookSecretsOf: Listing = async (id, { webhooks }) => {
  const stored = (await webhooks?.read(id, id)) ?? null;
  if (webhooks === null || stored === null) return [];
  const put = async (from: string, to: string): Promise<boolean> => {
    const now = await webhooks.read(id, id);
    if (now === null) return true;
    const list = now.record.webhooks.map((webhook) => withSecret(webhook, from, to));
    const next = { ...now, record: { ...now.record, webhooks: list }, version: now.version + 1 };
    return await webhooks.put(next, now.version);
  };
  return stored.record.webhooks.flatMap((webhook) =>
    webhook.secrets.map(({ sealed }) => ({
      kind: 'webhook_secrets' as const,
      name: `a secret of webhook ${webhook.id}`,
      context: secretContext(webhook.id),
      sealed,
      put: (next: string) => put(sealed, next),
    })),
  );
};

const withSecret = (webhook: Webhook, from: string, to: string): Webhook => ({
  ...webhook,
  secrets: webhook.secrets.map((one) => (one.sealed === from ? { ...one, sealed: to } : one)),
});

/** What was sealed again, and what could not be. */
export async function resealAll(
  id: string,
  reseal: Reseal,
  open: (report: (unreadable: string) => void) => SealedStores,
): Promise<{ readonly resealed: Counts; readonly left: readonly string[] }> {
  const done: SealedPart[] = [];
  for (let pass = 1; ; pass++) {
    const left = new Set<string>();
    const report = (unreadable: string) => left.add(unreadable);
    const parts = await sealedParts(id, open(report), report);
    const before = done.length;
    const settle = async (part: SealedPart): Promise<void> => {
      const outcome = reseal(part.context, part.sealed);
      if (outcome === 'current') return;
      if (outcome === 'unreadable' || !(await part.put(outcome.sealed))) left.add(part.name);
      else done.push(part);
    };
    for (const part of parts) if (part.kind !== 'days') await settle(part);
    await inParallel(
      parts.filter(({ kind }) => kind === 'days'),
      DAYS_AT_ONCE,
      settle,
    );
    if (done.length === before || pass === PASSES_MAX) return { resealed: countParts(done), left: [...left] };
  }
}
