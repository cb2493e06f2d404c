/** A queue this stage may write to. Losing a message must cost latency only: rows are the truth. */
export interface MessageSender<Message> {
  /**
   * Sends all messages, in as few requests as the transport allows. Rejects when one was not taken, after all the others
   * were tried; with a `SendFailure` where it is known which. The caller decides whether that matters. `groupId` keeps
   * one merchant's backlog from delaying the others' (SQS fair queues).
   */
  send(
    messages: readonly { readonly body: Message; readonly groupId: string }[],
    options?: { readonly delaySec?: number },
  ): Promise<void>;
}

/** Some messages of one `send` were not taken. */
export class SendFailure extends Error {
  /** Their places in what was sent. The others were taken. */
  readonly failedIndexes: readonly number[];
  /** True when each of them was refused for what it is: sent again, it will be refused again. */
  readonly refused: boolean;

  constructor(failedIndexes: readonly number[], refused: boolean, cause: unknown) {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    super(`not taken by the queue (${failedIndexes.length})${why}`, { cause });
    this.failedIndexes = failedIndexes;
    this.refused = refused;
  }
}

/** One received message, decoded. */
export interface Received<Message> {
  readonly body: Message;
  /** 1 on the first receive. */
  readonly receiveCount: number;
  readonly sentAtMs: number;
}

/** Returned = acknowledged; a listed index (or a throw) = redelivered. */
export interface BatchResult {
  readonly failedIndexes: readonly number[];
}
