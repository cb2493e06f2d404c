/** Who did what to which record. Written once, never changed. */
export interface AuditEntry {
  readonly id: string;
  readonly merchantId: string;
  readonly atMs: number;
  /** `user:<sub>` or `key:<keyId>`. */
  readonly actor: string;
  /** e.g. `connection.create`. */
  readonly action: string;
  /** Id of the record. */
  readonly subject: string;
}
