/**
 * A platform's code threw, or returned an invalid result, although its definition promises not to: a defect of that
 * code.
 */
export class PlatformDefect extends Error {
  readonly platform: string;

  constructor(platform: string, where: string, cause: unknown) {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    super(`${platform} failed in ${where}${why}`, { cause });
    this.platform = platform;
  }
}
