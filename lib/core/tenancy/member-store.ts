import type { Membership } from './merchant.ts';

export interface MemberStore {
  /** The merchant and role behind the subject of a session token. */
  membership(sub: string): Promise<Membership | null>;
  putMember(membership: Membership): Promise<void>;
}
