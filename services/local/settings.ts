// What preflight.mjs exports, with types: it is plain JavaScript because it also has to run where TypeScript does not.

export interface LocalSettings {
  /** 0 in tests: any free ports. */
  readonly portBase: number;
  /** Absolute. */
  readonly dataDir: string;
  readonly problem: string | null;
}

export type PortName =
  | 'ingestion'
  | 'api'
  | 'sandbox'
  | 'dynamodb'
  | 'sqs'
  | 'issuer'
  | 'origin'
  | 'helpdesk-api'
  | 'operator-admin'
  | 'operator-reader';

interface Preflight {
  readonly PORTS: Readonly<Record<PortName, number>>;
  readonly readSettings: (env: Readonly<Record<string, string | undefined>>, cwd: string) => LocalSettings;
  readonly findProblem: (
    settings: LocalSettings,
    nodeVersion?: string,
    root?: string,
  ) => Promise<string | null>;
  readonly busyPort: (port: number, use: string, code: string) => string;
}

const preflight = (await import(new URL('./preflight.mjs', import.meta.url).href)) as Preflight;

/** Offset of each service from the port base. */
export const { PORTS, readSettings, findProblem, busyPort } = preflight;

/** Of a service; 0 where the host takes any free ports. */
export const portOf = (portBase: number, name: PortName): number =>
  portBase === 0 ? 0 : portBase + PORTS[name];
