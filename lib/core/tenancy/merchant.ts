/** Browser events of one merchant taken in a minute, unless its profile says otherwise. */
export const BROWSER_EVENTS_PER_MINUTE = 1_200;

export interface Merchant {
  readonly merchantId: string;
  readonly name: string;
  readonly email: string;
  readonly storePlatform?: string;
  readonly storeUrl?: string;
  readonly onboardingStep: string;
  readonly onboardingCompleted: boolean;
  readonly createdAtMs: number;
  readonly browserIngestion: {
    readonly enabled: boolean;
    /** Origins allowed to send browser events; empty = any. */
    readonly origins: readonly string[];
    /** Seconds a browser event waits for its server copy, where the merchant sends its name from servers too; 0 = not at all. */
    readonly serverCopyWaitSec?: number;
    /** Browser events taken in a minute, whoever sends them. */
    readonly eventsPerMinuteMax?: number;
  };
  /** Canonical name of an event this merchant sends from servers → since when, ms. Only ever grows, to 32 entries at most. */
  readonly serverEventNames?: Readonly<Record<string, number>>;
}

export const MEMBER_ROLES = ['member', 'admin', 'owner'] as const;
/** Ascending: each may do what the ones before it may. `member` reads. */
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** What a person who signed in may do, and for whom. Comes from this record, never from claims of a token. */
export interface Membership {
  /** Subject of the session token. */
  readonly sub: string;
  readonly merchantId: string;
  readonly role: MemberRole;
}
