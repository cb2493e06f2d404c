// By which names others know the request that brought an event. Guarantees: kept is only what cannot say anything: a UUID and the
// ids of a trace; an event whose sender named no trace has one all the same, made of its ingest id and stored nowhere.
import { madeSpanId, madeTraceId, type Trace, traceOf } from '#lib/core/record/trace.ts';

/** One of them, so that a row of an ordinary event stays within a write unit: the line of a trace names its request. */
export type RequestNames =
  /** The sender's `traceparent`. */
  | { readonly trace: Trace; readonly id?: undefined }
  /** The sender's `x-request-id`, where it is a UUID; lower case. */
  | { readonly id: string; readonly trace?: undefined };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Undefined where the sender named none of them. */
export function requestNames(headers: Readonly<Record<string, string>>): RequestNames | undefined {
  const { 'x-request-id': id, traceparent } = headers;
  const trace = traceOf(traceparent);
  if (trace !== undefined) return { trace };
  return id !== undefined && UUID.test(id) ? { id: id.toLowerCase() } : undefined;
}

interface Named {
  readonly ingestId: string;
  readonly request?: RequestNames;
}

/** 32 hexadecimal digits. */
export const traceIdOf = ({ ingestId, request }: Named): string =>
  request?.trace?.traceId ?? madeTraceId(ingestId);

/** With the caller's span, or that of the request which brought it. */
export function traceOfEvent(event: Named): Trace {
  const traceId = traceIdOf(event);
  return event.request?.trace ?? { traceId, parentId: madeSpanId(traceId) };
}

/** Of sending the event to this place, whichever try; 16 hexadecimal digits. */
export const sendingSpanOf = ({ ingestId }: Pick<Named, 'ingestId'>, place: string): string =>
  madeSpanId(`${ingestId}/${place}`);
