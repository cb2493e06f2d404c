export interface LocalSettings {
  readonly portBase: number;
  /** Absolute. */
  readonly dataDir: string;
  readonly problem: string | null;
}

export declare const PORTS: Readonly<
  Record<'ingestion' | 'api' | 'sandbox' | 'dynamodb' | 'sqs' | 'issuer', number>
>;
export declare function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): LocalSettings;
export declare function findProblem(
  settings: LocalSettings,
  nodeVersion?: string,
  root?: string,
): Promise<string | null>;
export declare function busyPort(port: number, use: string, code: string): string;
