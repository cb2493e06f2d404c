/** Who changed what, as the audit log shows it. Written once, never changed; holds no secret and no message. */
export interface HelpdeskAuditEntry {
  /** UUIDv7. */
  readonly id: string;
  readonly workspaceId: string;
  readonly atMs: number;
  /** e.g. `ticket.closed` */
  readonly action: string;
  readonly actor: {
    readonly type: 'user' | 'api_key' | 'system';
    readonly id: string;
    readonly label: string;
  };
  /** `client`: what a caller recorded of itself. */
  readonly source: 'server' | 'client';
  readonly resourceType: string | null;
  readonly resourceId: string | null;
  /** Field → from and to, as JSON text. */
  readonly changes: string | null;
  /** JSON text of an object. */
  readonly metadata: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
}
