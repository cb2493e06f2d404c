// What changes something leaves an entry, whatever happens between the change and the entry. There are no transactions here,
// so the order is: write down the intent, do it, write the entry, forget the intent. Where the intent cannot be written
// nothing is done; where the entry cannot be, the intent stays, and whoever reads the log later makes an entry of it whose
// outcome is unknown. So nothing is done without a trace, a refusal leaves none, and a change has exactly one.
import type { Route } from '../http/route.ts';
import type { Clock, Random } from '../ports/clock.ts';
import { actorOf, type Caller, type Stranger } from '../tenancy/caller.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { AuditLog } from './audit-log.ts';

/** Longer than any request lasts: what is open for so long will not end by itself. */
const ABANDONED_MS = 300_000;
const SETTLED_AT_ONCE = 100;

export interface AuditPorts {
  readonly config: Pick<AuditLog, 'appendAudit' | 'beginAudit' | 'endAudit' | 'openAudits'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (problem: string, error: unknown, context?: Readonly<Record<string, string>>) => void;
  /** Entries say from where they were asked for. */
  readonly keepsRequest?: true;
}

/** Says what was done, and to what. */
export type Note = (action: string, subject: string) => void;

/** `intent`: what is asked for. What `work` notes becomes the entries; nothing noted is nothing done. */
export async function audited<Answer>(
  intent: Pick<AuditEntry, 'merchantId' | 'actor' | 'action' | 'subject' | 'request'>,
  work: (note: Note) => Promise<Answer>,
  { config, clock, random, report }: AuditPorts,
): Promise<Answer> {
  const atMs = clock.now();
  const begun: AuditEntry = { ...intent, id: random.uuidv7(atMs), atMs };
  await config.beginAudit(begun);
  const entries: AuditEntry[] = [];
  const note: Note = (action, subject) => {
    const id = entries.length === 0 ? begun.id : random.uuidv7(atMs);
    entries.push({ ...begun, id, action, subject });
  };
  // What it throws may have been done: the intent stays.
  const answer = await work(note);
  try {
    await config.endAudit(begun, entries);
  } catch (error) {
    // It was done, and the caller must not do it again.
    report('an audit entry was not written; its intent was', error, { audit: begun.id });
  }
  return answer;
}

/** True where a route changes nothing that anybody would ask about later. */
export const isReading = (route: Route): boolean => route.method === 'GET' || route.readOnly === true;

const notes = new WeakMap<Caller, Note>();

interface RequestCall {
  readonly requestId: string;
  readonly clientIp?: string | undefined;
  readonly userAgent?: string | undefined;
}

const USER_AGENT_MAX_CHARS = 300;

/** What an intent holds of the request, where the log keeps that. */
export function requestOf(
  {
    requestId: id,
    clientIp: ip,
    userAgent,
    caller,
  }: RequestCall & { readonly caller?: Caller | Stranger | null },
  { keepsRequest }: Pick<AuditPorts, 'keepsRequest'>,
): Pick<AuditEntry, 'request'> {
  if (keepsRequest !== true) return {};
  const agent = userAgent === undefined ? {} : { userAgent: userAgent.slice(0, USER_AGENT_MAX_CHARS) };
  const callerName = caller?.kind === 'key' ? caller.name : undefined;
  const name = callerName === undefined ? {} : { callerName };
  return { request: { id, ...(ip === undefined ? {} : { ip }), ...agent, ...name } };
}

interface AnyCall extends RequestCall {
  readonly caller: Caller | null;
  readonly params: unknown;
}
type AnyHandler = (call: AnyCall) => Promise<unknown>;

/**
 * The handlers, those of routes that change something audited. They say what they did by `noteAudit`. A route without a
 * merchant, because it is public or for whoever is signed in, calls `audited` itself.
 */
export function auditedHandlers<Handlers extends object>(
  routes: readonly Route[],
  handlers: Handlers,
  ports: AuditPorts,
): Handlers {
  const wrapped = routes.flatMap((route) => {
    if (isReading(route) || route.auth === 'public' || route.auth.session === 'anyone') return [];
    const handler = (handlers as Readonly<Record<string, AnyHandler>>)[route.id];
    return handler === undefined ? [] : [[route.id, auditedHandler(route, handler, ports)] as const];
  });
  return { ...handlers, ...Object.fromEntries(wrapped) };
}

const auditedHandler =
  (route: Route, handler: AnyHandler, ports: AuditPorts): AnyHandler =>
  async (call) => {
    if (call.caller === null) throw new Error(`${route.id} is not public and has no caller`);
    // One of this very call: a caller may have several under way.
    const caller: Caller = { ...call.caller };
    const { id = '' } = (call.params ?? {}) as { readonly id?: string };
    const intent = {
      merchantId: caller.merchantId,
      actor: actorOf(caller),
      action: route.id,
      subject: id.slice(0, 100),
      ...requestOf(call, ports),
    };
    return await audited(
      intent,
      async (note) => {
        notes.set(caller, note);
        return await handler({ ...call, caller });
      },
      ports,
    );
  };

/** False where no audited handler was given this caller. */
export function noteAudit(caller: Caller, action: string, subject: string): boolean {
  const note = notes.get(caller);
  note?.(action, subject);
  return note !== undefined;
}

/** Makes entries of what was begun long ago and never ended. */
export async function settleAudits(
  merchantId: string,
  { config, clock }: Pick<AuditPorts, 'config' | 'clock'>,
): Promise<void> {
  const open = await config.openAudits(merchantId, clock.now() - ABANDONED_MS, SETTLED_AT_ONCE);
  await Promise.all(open.map((intent) => config.endAudit(intent, [{ ...intent, outcome: 'unknown' }])));
}
