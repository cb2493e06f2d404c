// Guarantees: a team changes by one conditional write to one item, so that changes are one after the other. A role is read
// from the team itself: whoever is removed or changed is so with the next request.
import type { Membership } from './membership.ts';
import type { Team } from './team.ts';

export interface MemberStore {
  /** Of the subject of a session token: one for each merchant whose team it is in, or for the named merchant alone. */
  memberships(sub: string, merchantId?: string): Promise<readonly Membership[]>;
  /** Adds a member, or changes the role of one, asking nobody: for what a deployment starts with. */
  putMember(membership: Membership): Promise<void>;
  team(merchantId: string): Promise<Team>;
  /**
   * Applies what `decide` makes of the team as it is (`team: null`: nothing); it is asked again when somebody else was
   * faster.
   */
  changeTeam<Result>(
    merchantId: string,
    decide: (team: Team) => { readonly team: Team | null; readonly result: Result },
  ): Promise<Result>;
  /** Has the subject act for this merchant, too, once it is of its team. False where it has as many as it may have. */
  claimSubject(sub: string, merchantId: string, nowMs: number): Promise<boolean>;
  /** Forgets that the subject acts for this merchant; that it acts for another one stays. */
  releaseSubject(sub: string, merchantId: string): Promise<void>;
}

/** Merchants that a person acts for. */
export const MERCHANTS_MAX = 20;
/** Between a claim and the change of the team lie two writes of one request, which lasts half a minute at most. */
export const CLAIM_LASTS_MS = 60_000;
