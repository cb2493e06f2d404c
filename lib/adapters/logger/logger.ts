// One structured logger for every host: JSON lines on stdout, where Lambda, a container and a terminal all look.
// Guarantees: personal data and secrets are redacted before a line exists (redaction.ts), in bound fields, in the
// text of a line and in its fields; a line is out when the call returns, because a frozen Lambda flushes nothing later.
// Refuses: fields that make a line throw; they are described instead. Why not a library: docs/decisions/0005.
import { maskText, redactFields } from './redaction.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A text, or fields and a text, or an error alone. */
export type LogMethod = (first: unknown, text?: string) => void;

/** Fastify takes it as its `loggerInstance`. */
export interface Logger extends Readonly<Record<LogLevel, LogMethod>> {
  readonly level: LogLevel;
  /** A logger that adds these fields to every line. */
  child(fields: Readonly<Record<string, unknown>>): Logger;
}

/** Takes whole lines. */
export interface LogDestination {
  write(line: string): void;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Fields of every line, e.g. `{ service: 'deliver' }`. */
  readonly bindings?: Readonly<Record<string, string | number>>;
  /** When absent, the host's choice, or else stdout. */
  readonly destination?: LogDestination;
}

/** Synchronous for the pipe Lambda and containers read, and never EAGAIN. */
const STDOUT: LogDestination = { write: (line) => void process.stdout.write(line) };
let standard: LogDestination | undefined;

/** For a host that runs many functions in one process: where the loggers created from now on write by default. */
export function setStandardDestination(destination: LogDestination | undefined): void {
  standard = destination;
}

export function createLogger(options: LoggerOptions): Logger {
  return loggerOf(
    options.level,
    redactFields(options.bindings ?? {}),
    options.destination ?? standard ?? STDOUT,
  );
}

function loggerOf(
  level: LogLevel,
  bound: Readonly<Record<string, unknown>>,
  destination: LogDestination,
): Logger {
  const threshold = LOG_LEVELS.indexOf(level);
  const methods = LOG_LEVELS.map((name, rank): [LogLevel, LogMethod] => {
    if (name === 'silent' || rank < threshold) return [name, () => {}];
    return [
      name,
      (first, text) => {
        const { fields, msg } = lineOf(first, text);
        const line = {
          level: name,
          time: Date.now(),
          ...bound,
          ...redactFields(fields),
          ...(msg === undefined ? {} : { msg }),
        };
        destination.write(`${JSON.stringify(line)}\n`);
      },
    ];
  });
  return {
    ...(Object.fromEntries(methods) as Record<LogLevel, LogMethod>),
    level,
    child: (fields) => loggerOf(level, { ...bound, ...redactFields(fields) }, destination),
  };
}

function lineOf(
  first: unknown,
  text: string | undefined,
): { fields: Record<string, unknown>; msg: string | undefined } {
  const msg = text === undefined ? undefined : maskText(text);
  if (first instanceof Error) return { fields: { err: first }, msg: msg ?? maskText(first.message) };
  if (first !== null && typeof first === 'object') return { fields: first as Record<string, unknown>, msg };
  return { fields: {}, msg: maskText(String(first)) };
}

/** The level named by a setting, `info` when it is absent or unknown. */
export function logLevelFrom(text: string | undefined): LogLevel {
  return LOG_LEVELS.find((level) => level === text?.trim().toLowerCase()) ?? 'info';
}
