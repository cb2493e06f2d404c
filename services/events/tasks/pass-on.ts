// Passes the deletion of a person on to the merchant's platforms, one connection after the other. Guarantees: what a platform has taken
// is noted before the next is asked, so that a step that dies repeats at most one request; one that refuses, or does not answer, keeps
// no other waiting and is asked again for a week; nothing of the person is in what is noted of an answer.

import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { written } from '#lib/core/work/long-task.ts';
import { isTaken, type Outcome } from '#lib/events/domain/deliveries/delivery.ts';
import {
  type Erasure,
  isOpen,
  PASSING_MS,
  type Passing,
  passingRestMs,
} from '#lib/events/domain/erasure/erasure.ts';
import { createTokens, type Tokens } from '#lib/events/pipeline/connections/access-tokens.ts';
import { callConnection } from '#lib/events/pipeline/connections/call-connection.ts';
import { type OpenConnection, openCredentials } from '#lib/events/pipeline/connections/open-connection.ts';
import { openPerson } from '#lib/events/pipeline/erasure/sealed-subject.ts';
import { withoutQuotesOf } from '#lib/events/pipeline/quoted-values.ts';
import type { DeletedPerson } from '#lib/events/platforms/deletion.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { TaskPorts } from './ports.ts';

interface Asking {
  readonly erasure: Erasure;
  readonly person: DeletedPerson;
  readonly tokens: Tokens;
  readonly ports: TaskPorts;
}

/** What one request came to. */
type Said = Outcome & { readonly status?: number };

/**
 * Asks each platform whose turn it is. Returns the erasure as it is stored then; null if another worker has it. After `endMs` none is
 * asked any more.
 */
export async function passOn(taken: Erasure, endMs: number, ports: TaskPorts): Promise<Erasure | null> {
  const { sealedPerson } = taken;
  if (sealedPerson === undefined) return taken;
  const person = await openPerson({ ...taken, sealedPerson }, ports.vault);
  const tokens = createTokens({ transport: await ports.transport(), clock: ports.clock });
  let erasure = taken;
  for (let at = 0; at < (taken.passing ?? []).length; ) {
    const one = erasure.passing?.[at];
    const nowMs = ports.clock.now();
    if (one === undefined || !isOpen(one) || (one.nextAtMs ?? 0) > nowMs) {
      at += 1;
      continue;
    }
    if (nowMs >= endMs) return erasure;
    const next = await ask(one, { erasure, person, tokens, ports });
    const passing = (erasure.passing ?? []).map((other) => (other === one ? next : other));
    const noted = await written(
      { ...erasure, passing, updatedAtMs: ports.clock.now() },
      ports.erasures.writeErasure,
    );
    if (noted === null) return null;
    erasure = noted;
  }
  return erasure;
}

/** Ends what is still open after a week; the same erasure before. */
export function withoutLate(erasure: Erasure, { clock, report }: TaskPorts): Erasure {
  const { passing = [], passingSinceMs } = erasure;
  if (passingSinceMs === undefined || clock.now() - passingSinceMs < PASSING_MS) return erasure;
  return {
    ...erasure,
    passing: passing.map((one) => {
      if (!isOpen(one)) return one;
      report('a platform took no deletion', new Error(`${one.platform}: ${one.code ?? 'no answer'}`));
      return { ...one, state: 'refused', isFinal: true };
    }),
  };
}

/** When the next of them is to be asked again; null where none is. */
export function nextAskMs({ passing = [] }: Erasure): number | null {
  const times = passing.filter(isOpen).map(({ nextAtMs = 0 }) => nextAtMs);
  return times.length === 0 ? null : Math.min(...times);
}

/** The connection after one more request, or after it was found that there is none to make. */
async function ask(one: Passing, asking: Asking): Promise<Passing> {
  const { erasure, ports } = asking;
  const { status: _s, code: _c, message: _m, nextAtMs: _n, ...known } = one;
  const platform = ports.platforms.find(({ slug }) => slug === one.platform);
  const connection = await ports.config.connection(erasure.merchantId, one.slot);
  if (connection?.id !== one.connectionId || platform === undefined)
    return { ...known, state: 'removed', atMs: ports.clock.now() };
  const open = { connection, credentials: await credentialsOf(connection, platform, ports) };
  const { said, isLast } =
    open.credentials === undefined
      ? { said: OUTDATED, isLast: false }
      : await send(open, platform, one.taken, asking);
  const atMs = ports.clock.now();
  if (isTaken(said.kind))
    return { ...known, state: isLast ? 'passed_on' : 'waiting', taken: one.taken + 1, atMs };
  const waitMs = Math.max(
    passingRestMs(erasure.passingSinceMs ?? atMs, atMs),
    (said.retryAfterSec ?? 0) * 1_000,
  );
  return {
    ...known,
    state: REFUSALS.has(said.kind) ? 'refused' : 'waiting',
    atMs,
    nextAtMs: atMs + waitMs,
    ...withoutUndefined({ status: said.status, code: said.code, message: said.message }),
  };
}

const REFUSALS: ReadonlySet<Outcome['kind']> = new Set(['auth', 'permanent', 'batch_refused']);
const OUTDATED: Said = {
  kind: 'auth',
  code: 'credentials_outdated',
  message: 'What was entered for the connection is no longer enough: connect it again.',
};

/** Undefined where they are not what the platform asks for today. */
async function credentialsOf(
  connection: OpenConnection['connection'],
  platform: Platform,
  { vault }: TaskPorts,
): Promise<unknown> {
  return platform.credentials.safeParse(await openCredentials(vault, connection, platform)).data;
}

async function send(
  open: OpenConnection,
  { deletion, ...platform }: Platform,
  taken: number,
  { person, tokens, ports }: Asking,
): Promise<{ readonly said: Said; readonly isLast: boolean }> {
  if (deletion.offered !== 'yes') throw new TypeError(`${platform.slug} takes no deletion any more`);
  const transport = await ports.transport();
  // A number may be quoted without its country code too.
  const said = [person, ...[1, 2, 3, 4].map((from) => person.phone?.slice(from))];
  let isLast = false;
  const called = await callConnection(
    open,
    { deletion, ...platform },
    tokens,
    async (accessToken): Promise<Said> => {
      const requests = deletion.buildRequests(
        person,
        open.credentials,
        accessToken === undefined ? {} : { accessToken },
      );
      isLast = taken + 1 >= requests.length;
      const [request] = requests.slice(taken);
      if (request === undefined) return { kind: 'duplicate' };
      const result = await transport.send(request, { timeoutMs: platform.limits.timeoutMs });
      const outcome = withoutQuotesOf(deletion.readResponse(result), said);
      return result.kind === 'response' ? { ...outcome, status: result.status } : outcome;
    },
    ({ kind }) => kind === 'auth',
  );
  return { said: 'noToken' in called ? withoutQuotesOf(called.noToken, said) : called.result, isLast };
}
