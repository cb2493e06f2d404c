import type { Standing } from './grant.ts';

/** What a person who signed in may do, and for whom. Comes from this record, never from claims of a token. */
export interface Membership extends Standing {
  /** Subject of the session token. */
  readonly sub: string;
  readonly merchantId: string;
  /** Of the merchant; absent where there is no profile that can be read. */
  readonly name?: string;
  /** The operator has suspended the merchant. Absent: no. */
  readonly isSuspended?: true;
}
