// The trace a request belongs to, as its header `traceparent` says (https://www.w3.org/TR/trace-context/, read 2026-11-27).
// Guarantees: what is not exactly a traceparent is no trace; nothing of a header is kept but its two ids.

import { hash } from 'node:crypto';

export interface Trace {
  /** 32 hexadecimal digits, not all 0. */
  readonly traceId: string;
  /** The caller's span: 16 hexadecimal digits, not all 0. */
  readonly parentId: string;
}

/** Of version 00 nothing may follow the flags; of a later one more may, behind a `-`. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** Undefined for a header that is absent or not exact, which a receiver ignores. */
export function traceOf(traceparent: string | undefined): Trace | undefined {
  if (traceparent === undefined || traceparent.length > 512) return undefined;
  const [, version, traceId, parentId, rest] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || parentId === undefined) return undefined;
  return version === '00' && rest !== undefined ? undefined : { traceId, parentId };
}

/** `spanId`: of the one who sends it. The flags say that it was recorded. */
export const traceparentOf = (traceId: string, spanId: string): string => `00-${traceId}-${spanId}-01`;

/** Ids of what no caller has named: the same text has the same. The first span of a trace is made of the trace's own id. */
export const madeTraceId = (text: string): string => hash('sha256', text, 'hex').slice(0, 32);
export const madeSpanId = (text: string): string => hash('sha256', text, 'hex').slice(0, 16);

/** How a request that was answered names its trace: the caller's, or one that was made for it. */
export function tracingOf(traceparent: string | undefined, made?: string) {
  const given = traceOf(traceparent);
  return { trace: given?.traceId ?? made, parent: given?.parentId };
}
