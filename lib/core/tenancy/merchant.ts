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
  };
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
