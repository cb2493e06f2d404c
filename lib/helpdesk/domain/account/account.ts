/** The workspace as its agents configure it. Made of defaults at the first change. */
export interface Account {
  /** The workspace id. */
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  /** BCP 47. */
  readonly defaultLanguage: string;
  /** IANA. */
  readonly defaultTimezone: string;
  /** A JSON object as text; what this service reads of it is in `account-config.ts`. */
  readonly config: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}
