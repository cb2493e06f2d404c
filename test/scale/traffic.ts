// Senders: requests to the function URL of ingestion at a rate, whatever comes back. A refused request is not repeated, so
// that a figure says what the first try met.
import type { Journal } from './journal.ts';
import type { LambdaFunction } from './lambda/function.ts';
import { bodyOf, type PlantedMerchant } from './merchants.ts';
import type { Scheduler } from './scheduler.ts';

export interface Stream {
  readonly merchants: readonly PlantedMerchant[];
  /** Over all its merchants, events a second, at a moment. */
  readonly rate: (nowMs: number) => number;
  readonly fromMs: number;
  readonly untilMs: number;
  /** First index of its events: streams must not share any. */
  readonly firstIndex: number;
}

export interface TrafficParts {
  readonly ingestion: LambdaFunction;
  readonly journal: Journal;
  readonly scheduler: Scheduler;
}

const THROTTLED = 429;
const BROKEN = 502;

/** Puts the stream on the clock: it sends what is due by then, merchants in turn. */
export function startStream(stream: Stream, { ingestion, journal, scheduler }: TrafficParts): void {
  let owed = 0;
  let sent = 0;
  let owedAtMs = stream.fromMs;
  const tick = (): void => {
    const nowMs = scheduler.now();
    owed += (stream.rate(owedAtMs) * (Math.min(nowMs, stream.untilMs) - owedAtMs)) / 1_000;
    owedAtMs = nowMs;
    for (; owed >= 1; owed -= 1) {
      const merchant = stream.merchants[sent % stream.merchants.length];
      if (merchant !== undefined) send(stream.firstIndex + sent, merchant);
      sent += 1;
    }
    if (nowMs >= stream.untilMs) return;
    // A slow stream sleeps until it owes one, though not for long: its rate may change.
    const perMs = stream.rate(nowMs) / 1_000;
    scheduler.after(Math.min(1_000, Math.max(1, Math.floor((1 - owed) / Math.max(perMs, 1e-6)))), tick);
  };
  const send = (index: number, merchant: PlantedMerchant): void => {
    journal.sent(index, scheduler.now());
    const taken = ingestion.invoke(requestOf(index, merchant, scheduler.now()), ({ result, failed }) => {
      const status = failed ? BROKEN : (result as { statusCode: number }).statusCode;
      journal.answered(index, status, scheduler.now());
    });
    if (!taken) journal.answered(index, THROTTLED, scheduler.now());
  };
  scheduler.at(stream.fromMs, tick);
}

function requestOf(index: number, { apiKey }: PlantedMerchant, nowMs: number) {
  return {
    rawPath: '/v1/events',
    rawQueryString: '',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: bodyOf(index, nowMs),
    isBase64Encoded: false,
    requestContext: { requestId: `r${index}`, http: { method: 'POST', sourceIp: '192.0.2.1' } },
  };
}
