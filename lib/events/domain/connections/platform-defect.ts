/** A platform's code threw, or answered nonsense, where its definition promises that it does not. Nobody else's fault. */
export class PlatformDefect extends Error {
  readonly platform: string;

  constructor(platform: string, where: string, cause: unknown) {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    super(`${platform} failed in ${where}${why}`, { cause });
    this.platform = platform;
  }
}
