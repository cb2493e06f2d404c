/** Who did what to which record. Written once, never changed. */
export interface AuditEntry {
  readonly id: string;
  readonly merchantId: string;
  readonly atMs: number;
  /** `user:<sub>` or `key:<keyId>`; of news from outside where it came from: `stripe:<event id>`. */
  readonly actor: string;
  /** e.g. `connection.create`; where the outcome is unknown the operation that was asked for. */
  readonly action: string;
  /** Id of the record. */
  readonly subject: string;
  /** The request ended before it could say what it had done. Absent: done. */
  readonly outcome?: 'unknown';
  /** Where it was asked for; only of products whose log shows it. */
  readonly request?: AuditedRequest;
}

export interface AuditedRequest {
  readonly id: string;
  readonly ip?: string;
  readonly userAgent?: string;
  /** Of a key, its name at that time. */
  readonly callerName?: string;
}
