// What a stand-in for a vendor's endpoint is: pure checks over one request. It refuses what the real endpoint
// refuses, in the vendor's own words, and says under which key the vendor would deduplicate each event.
// Refuses: I/O, clock, memory. Who hosts it keeps the events and counts them.
import type { EventName } from '#lib/events/domain/event/names.ts';

export interface SandboxRequest {
  readonly method: string;
  readonly host: string;
  /** Without query string. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What came, where it was compressed; `body` is what it says. */
  readonly packed?: Uint8Array;
}

export interface SandboxAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One event as the vendor saw it. */
export interface SandboxEvent {
  /** Pixel, data stream or data set. */
  readonly account: string;
  readonly eventName: string;
  /** The id as sent; empty where there was none. */
  readonly eventId: string;
  /** Sent for validation: shown, never counted. */
  readonly test: boolean;
  /** A person's deletion: shown, never counted. */
  readonly deletes?: true;
  /** A correction of an event that came before: shown, never counted. */
  readonly adjusts?: true;
  readonly accepted: boolean;
  /** Why it was refused, or what the vendor changed. */
  readonly reason?: string;
  /** Events of one key count once per window; absent where the vendor does not deduplicate. */
  readonly dedupeKey?: string;
  readonly value?: number;
  readonly currency?: string;
  /** The event as received. */
  readonly payload: unknown;
}

export interface SandboxReply {
  readonly answer: SandboxAnswer;
  readonly events: readonly SandboxEvent[];
}

export interface SandboxContext {
  readonly nowMs: number;
  /** Whether this account exists and this secret opens it. */
  readonly check: (account: string, secret: string) => 'ok' | 'unknown_account' | 'wrong_secret';
  /** What the merchant entered for this account, where the host knows: a signature needs the secret that made it. */
  readonly credentialsOf?: (account: string) => Readonly<Record<string, unknown>> | undefined;
}

export interface PlatformSandbox {
  readonly slug: string;
  /** Of the same vendor's other interface, which connections may choose. */
  readonly other?: PlatformSandbox;
  /** Of a host that several share: whether the request is for this one; undefined where it may be for any. Absent: for any. */
  readonly claims?: (request: SandboxRequest) => boolean | undefined;
  /** The vendor's hosts it answers for. */
  readonly hosts: readonly string[];
  /** Seconds within which equal dedupe keys count once; 0 = without end. */
  readonly dedupeWindowSec: number;
  /** True where the vendor answers success to anything and drops in silence what it cannot use. */
  readonly silent?: true;
  /** True where any success says that the event was taken, whatever its body. */
  readonly acknowledgesByStatus?: true;
  /** Account and secret of a connection's credentials. */
  readonly login: (credentials: Readonly<Record<string, unknown>>) => {
    readonly account: string;
    readonly secret: string;
  };
  /** The same of the app that the connection holds beside it. */
  readonly appLogin?: (credentials: Readonly<Record<string, unknown>>) => {
    readonly account: string;
    readonly secret: string;
  };
  /** How the vendor calls this event where connections carry an id of it; absent where events go by name. */
  readonly nameOf?: (credentials: Readonly<Record<string, unknown>>, name: EventName) => string;
  readonly handle: (request: SandboxRequest, context: SandboxContext) => SandboxReply;
  /** How the vendor words what can be provoked. */
  readonly provoked: {
    readonly throttled: SandboxAnswer;
    readonly unavailable: SandboxAnswer;
    readonly unauthorized: SandboxAnswer;
  };
  /** The reply when only a part of the events was taken; absent where the vendor has no such answer. */
  readonly partial?: (reply: SandboxReply) => SandboxReply;
  /** The reply with a count that does not fit the request; absent where the vendor does not count. */
  readonly wrongCounts?: (reply: SandboxReply) => SandboxReply;
}

export function jsonAnswer(status: number, body: unknown): SandboxAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
