/** A queue this stage may write to. Losing a message must cost latency only: rows are the truth. */
export interface MessageSender<Message> {
  /**
   * Sends all messages, in as few requests as the transport allows. Rejects when one was not taken; the caller decides
   * whether that matters. `groupId` keeps one merchant's backlog from delaying the others' (SQS fair queues).
   */
  send(
    messages: readonly { readonly body: Message; readonly groupId: string }[],
    options?: { readonly delaySec?: number },
  ): Promise<void>;
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
