/** The people who can sign in, where the deployment keeps them itself. */
export interface People {
  /** Subject of the person with this address; null where there is none. */
  find(email: string): Promise<string | null>;
  /** Makes the person, who gets a mail with a first password. The subject; of the one that is there where there is one. */
  invite(email: string): Promise<string>;
}
