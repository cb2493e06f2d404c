// What a restore asks of AWS. Each rejects with a sentence where it was refused.
import type { Account } from '../../deploy/account.ts';

export interface TableState {
  /** Another for a table that has taken its name. */
  readonly id: string;
  readonly arn: string;
  /** `ACTIVE`, `CREATING`, … */
  readonly status: string;
  readonly isProtected: boolean;
  readonly isProvisioned: boolean;
}

/** What a restored table does not have by itself. */
export interface TableSettings {
  /** Attribute of expiry; null: nothing expires. */
  readonly expiry: string | null;
  readonly tags: Readonly<Record<string, string>>;
}

export interface RecoveryWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** Days that it goes back; null where AWS does not say it. */
  readonly days: number | null;
}

export interface StackResource {
  readonly type: string;
  /** In the template. */
  readonly id: string;
  /** In AWS. */
  readonly name: string;
}

export interface Recovery
  extends Pick<Account, 'identity' | 'parameter' | 'putParameter' | 'deleteParameter'> {
  resources(stack: string): Promise<readonly StackResource[]>;
  /** Invocations that are reserved for a function; null: it shares the account's. */
  concurrency(name: string): Promise<number | null>;
  setConcurrency(name: string, reserved: number | null): Promise<void>;
  /** Null where there is none. */
  table(name: string): Promise<TableState | null>;
  settings(table: TableState, name: string): Promise<TableSettings>;
  /** Null where the table has no point-in-time recovery. */
  window(name: string): Promise<RecoveryWindow | null>;
  restoreToTime(name: string, target: string, atMs: number): Promise<void>;
  /** ARN of the backup that was begun; null: DynamoDB is not ready for it yet. */
  backUp(name: string, backup: string): Promise<string | null>;
  /** `CREATING`, `AVAILABLE`, `DELETED`. */
  backupStatus(arn: string): Promise<string>;
  restoreBackup(arn: string, target: string): Promise<void>;
  protect(name: string, isProtected: boolean): Promise<void>;
  deleteTable(name: string): Promise<void>;
  /** False: DynamoDB is not ready for it yet. */
  recoverToTime(name: string, days: number | null): Promise<boolean>;
  tag(arn: string, tags: TableSettings['tags']): Promise<void>;
  expire(name: string, attribute: string): Promise<void>;
  /** Reads all keys: half a read unit for each 4 KB. */
  countItems(name: string, onProgress: (items: number) => void): Promise<number>;
  /** Properties in which a resource is not what its stack says. */
  drift(stack: string, id: string): Promise<readonly string[]>;
  purge(queueUrl: string): Promise<void>;
}
