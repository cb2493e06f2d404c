/** A customer. Its id follows from its address, so that of many who create it at once one does. */
export interface Contact {
  /** `contactIdOf(workspaceId, email)`. */
  readonly id: string;
  readonly workspaceId: string;
  /** Lowercase. */
  readonly email: string;
  readonly name: string | null;
  readonly firstname: string | null;
  readonly lastname: string | null;
  readonly company: string | null;
  readonly phone: string | null;
  /** `metadata` of the older paths and `custom_fields` of v1: a JSON object as text, because of its free nesting. */
  readonly metadata: string;
  /** The root of the request with an Idempotency-Key that created it, by which an attempt of it knows its own; else absent. */
  readonly idRoot?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Since when its address is written to no more, and why; null or absent where it is. An agent takes it away. */
  readonly mailStopped?: { readonly atMs: number; readonly reason: 'bounced' | 'complained' } | null;
}
