// Spans to a collector, as OTLP over HTTP in JSON (https://opentelemetry.io/docs/specs/otlp/, read 2026-11-27). Written here: the SDK
// is 290 KB of bundle, and a function needs one request of it. Guarantees: `flush` resolves always, within a second, and what
// could not be exported is dropped and reported once a minute; at most 512 spans wait.
export interface Span {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  /** 32 and 16 hexadecimal digits. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly isError: boolean;
  /** Those that are undefined are left out. */
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
}

export interface ExporterOptions {
  /** Of the collector, such as `http://localhost:4318`; `/v1/traces` is added. */
  readonly url: string;
  readonly service: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly report: (problem: string, error: unknown) => void;
}

export interface Exporter {
  add(span: Span): void;
  /** Before the answer of an invocation: afterwards Lambda may freeze the process. */
  flush(): Promise<void>;
}

const SPANS_MAX = 512;
const TIMEOUT_MS = 1_000;
const REPORT_EVERY_MS = 60_000;
const KINDS = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

export function createExporter({ url, service, now, report }: ExporterOptions): Exporter {
  const endpoint = `${url.replace(/\/+$/, '')}/v1/traces`;
  let waiting: Span[] = [];
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  return {
    add(span) {
      if (waiting.length < SPANS_MAX) waiting.push(span);
    },
    async flush() {
      if (waiting.length === 0) return;
      const body = JSON.stringify(exportRequest(service, waiting));
      waiting = [];
      try {
        const answer = await fetch(endpoint, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
          signal: AbortSignal.timeout(TIMEOUT_MS),
          redirect: 'error',
        });
        // To its end, so that the socket is free for the next one.
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
      } catch (error) {
        if (now() - reportedAtMs < REPORT_EVERY_MS) return;
        reportedAtMs = now();
        report('spans were not exported', error);
      }
    },
  };
}

/** `ExportTraceServiceRequest` in the JSON mapping of OTLP: ids in hex, times as texts, kinds as numbers. */
function exportRequest(service: string, spans: readonly Span[]) {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.namespace': 'millrace', 'service.name': service }) },
        scopeSpans: [{ scope: { name: 'millrace' }, spans: spans.map(spanOf) }],
      },
    ],
  };
}

function spanOf({ name, kind, traceId, spanId, parentId, startMs, endMs, isError, attributes }: Span) {
  return {
    traceId,
    spanId,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(endMs),
    attributes: attributesOf(attributes),
    status: isError ? { code: STATUS_ERROR } : {},
  };
}

const nanos = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);

function attributesOf(values: Span['attributes']): readonly object[] {
  return Object.entries(values).flatMap(([key, value]): readonly object[] => {
    if (value === undefined) return [];
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}
