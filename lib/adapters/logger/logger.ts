// One structured logger for every host: JSON lines on stdout, where Lambda, a container and a terminal all look.
// Guarantees: personal data and secrets are redacted before a line exists (redaction.ts), in bound fields, in the
// text of a line and in its fields. Refuses: fields that make a line throw; they are described instead.
import pino from 'pino';
import { maskText, redactFields } from './redaction.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Pino's logger as it is: Fastify takes it as its `loggerInstance`. */
export type Logger = pino.Logger;

/** Takes whole lines. */
export interface LogDestination {
  write(line: string): void;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Fields of every line, e.g. `{ service: 'deliver' }`. */
  readonly bindings?: Readonly<Record<string, string | number>>;
  /** When absent, the host's choice, or else stdout, written synchronously: a frozen Lambda flushes nothing later. */
  readonly destination?: LogDestination;
}

let standard: LogDestination | undefined;

/** For a host that runs many functions in one process: where the loggers created from now on write by default. */
export function setStandardDestination(destination: LogDestination | undefined): void {
  standard = destination;
}

export function createLogger(options: LoggerOptions): Logger {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: options.bindings ?? null,
    timestamp: pino.stdTimeFunctions.epochTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => redactFields(fields),
    },
    // Pino would expand errors, requests and responses by itself before the formatter sees them.
    serializers: { err: (value: unknown) => value },
    hooks: {
      logMethod(args, method) {
        const [first, ...rest] = args as unknown[];
        // An error logged alone would give its message, unmasked, to the text of the line.
        const alone = first instanceof Error && rest.length === 0;
        const masked = alone ? [{ err: first }, first.message] : [first, ...rest];
        method.apply(this, masked.map(maskIfText) as Parameters<typeof method>);
      },
    },
  };
  const logger = pino(settings, options.destination ?? standard ?? pino.destination({ dest: 1, sync: true }));
  const child: (this: Logger, bindings: pino.Bindings, options?: pino.ChildLoggerOptions) => Logger =
    logger.child;
  // Pino writes the bindings of a child without asking the formatters; descendants inherit this property.
  Object.defineProperty(logger, 'child', {
    value(this: Logger, bindings: pino.Bindings, childOptions?: pino.ChildLoggerOptions) {
      return child.call(this, redactFields(bindings), childOptions);
    },
  });
  return logger;
}

const maskIfText = (argument: unknown): unknown =>
  typeof argument === 'string' ? maskText(argument) : argument;

/** The level named by a setting, `info` when it is absent or unknown. */
export function logLevelFrom(text: string | undefined): LogLevel {
  return LOG_LEVELS.find((level) => level === text?.trim().toLowerCase()) ?? 'info';
}
