/** Session tokens of the identity provider. */
export interface SessionVerifier {
  /** The subject of a valid token; null for anything else. Throws when the provider's keys cannot be had. */
  verify(token: string): Promise<{ readonly sub: string } | null>;
}
