/** What has to be closed, in the opposite order of how it was opened. One that fails does not keep the others open. */
export class Closers {
  readonly #closers: (() => unknown)[] = [];
  readonly #notices: (() => void)[] = [];
  #closing: Promise<void> | undefined;

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Runs when closing begins. */
  beforeAll(notice: () => void): void {
    this.#notices.push(notice);
  }

  /** Any number of callers share one closing. Rejects with the first error, after everything was closed. */
  closeAll(): Promise<void> {
    this.#closing ??= this.#run();
    return this.#closing;
  }

  async #run(): Promise<void> {
    for (const notice of this.#notices) notice();
    const errors: unknown[] = [];
    for (const close of this.#closers.reverse()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
