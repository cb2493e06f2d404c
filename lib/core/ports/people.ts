/** The people who can sign in, where the deployment keeps them itself. */
export interface People {
  /** The person with this address; null where there is none. One who signed up is confirmed once the address is verified. */
  find(email: string): Promise<{ readonly sub: string; readonly isConfirmed: boolean } | null>;
  /** Makes the person, who gets a mail with a first password. The subject; of the one that is there where there is one. */
  invite(email: string): Promise<string>;
}
