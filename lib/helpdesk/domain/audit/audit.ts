// Entries of the audit log, built from the request and from the changed fields.
// Guarantees: an entry has a value only if its field is listed as shown; of hidden fields it says only that they
// changed. An entry outlives every erasure: personal data, secrets and texts that people wrote are hidden.
import { actorOf, type Caller } from '#lib/core/tenancy/caller.ts';
import type { HelpdeskAuditEntry } from './entry.ts';

/** What is known of a request: a call of a handler fits. */
export interface RequestFacts {
  readonly caller: Caller;
  readonly requestId: string;
  readonly clientIp?: string | undefined;
  readonly userAgent?: string | undefined;
}

/** A worker of ours that acts without a caller's request. */
export interface SystemFacts {
  readonly workspaceId: string;
  /** e.g. `webhooks` */
  readonly system: string;
}

export interface AuditedChange {
  /** e.g. `ticket.closed` */
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly changes?: FieldChanges | null | undefined;
  /** Figures and ids only. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export type FieldChanges = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** Fields of a record that the log may have. */
export interface AuditedFields<R> {
  /** With their values. */
  readonly shown: readonly (keyof R & string)[];
  /** Without values: only that they changed. */
  readonly hidden?: readonly (keyof R & string)[];
}

export const HIDDEN = '[hidden]';
const TEXT_MAX_CHARS = 500;
const USER_AGENT_MAX_CHARS = 300;

/** `id`: a UUIDv7 of `atMs`, the same at every try of one change. */
export function auditEntry(
  by: RequestFacts | SystemFacts,
  { action, resourceType, resourceId, changes = null, metadata }: AuditedChange,
  { id, atMs }: { readonly id: string; readonly atMs: number },
): HelpdeskAuditEntry {
  return {
    ...whoOf(by),
    id,
    atMs,
    action,
    source: 'server',
    resourceType,
    resourceId,
    changes: changes === null ? null : JSON.stringify(changes),
    metadata: metadata === undefined ? null : JSON.stringify(metadata),
  };
}

type Who = Pick<HelpdeskAuditEntry, 'workspaceId' | 'actor' | 'ip' | 'userAgent' | 'requestId'>;

/** The part of an entry that says who asked, and from where. */
export function whoOf(by: RequestFacts | SystemFacts): Who {
  if ('system' in by) {
    const actor = { type: 'system', id: by.system, label: by.system } as const;
    return { workspaceId: by.workspaceId, actor, ip: null, userAgent: null, requestId: null };
  }
  const { caller, requestId, clientIp, userAgent } = by;
  const id = caller.kind === 'session' ? caller.sub : caller.keyId;
  return {
    workspaceId: caller.merchantId,
    actor: {
      type: caller.kind === 'session' ? 'user' : 'api_key',
      id,
      label: labelOf(caller),
    },
    ip: clientIp ?? null,
    userAgent: userAgent === undefined ? null : cut(userAgent, USER_AGENT_MAX_CHARS),
    requestId,
  };
}

/** How people know the caller: the name of a key, which may be gone when the log is read; of a member no name is known. */
export const labelOf = (caller: Caller): string =>
  caller.kind === 'key' ? (caller.name ?? actorOf(caller)) : actorOf(caller);

/**
 * Fields that differ, by their names in the API; null if none do. For a created or deleted record the other side is
 * `null`.
 */
export function changesOf<R extends object>(
  before: R | null,
  after: R | null,
  { shown, hidden = [] }: AuditedFields<R>,
): FieldChanges | null {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const field of [...shown, ...hidden]) {
    const [from, to] = [before?.[field] ?? null, after?.[field] ?? null];
    if (JSON.stringify(from) === JSON.stringify(to)) continue;
    const isHidden = hidden.includes(field);
    changes[wireName(field)] = {
      from: shownValue(field, from, isHidden),
      to: shownValue(field, to, isHidden),
    };
  }
  return Object.keys(changes).length === 0 ? null : changes;
}

/** `closedAtMs` → `closed_at` */
const wireName = (field: string): string =>
  field.replace(/Ms$/, '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function shownValue(field: string, value: unknown, isHidden: boolean): unknown {
  if (value === null) return null;
  if (isHidden) return HIDDEN;
  if (typeof value === 'number' && field.endsWith('Ms')) return new Date(value).toISOString();
  if (typeof value === 'string') return cut(value, TEXT_MAX_CHARS);
  if (typeof value === 'object') {
    const text = JSON.stringify(value);
    return text.length > TEXT_MAX_CHARS ? cut(text, TEXT_MAX_CHARS) : value;
  }
  return value;
}

/** Whole characters only. */
const cut = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : `${[...text].slice(0, maxChars).join('')}…`;
