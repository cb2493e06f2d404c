// One sender per platform queue, made when it is first used.
import type { MessageSender } from '../../core/ports/queue.ts';
import type { createSqsClient } from './client.ts';
import { createMessageSender } from './message-sender.ts';

/** `urls`: platform slug to queue URL. Null for a platform that has no queue. */
export function createPlatformSenders<Message>(
  sqs: ReturnType<typeof createSqsClient>,
  urls: Readonly<Record<string, string>>,
): (platform: string) => MessageSender<Message> | null {
  const senders = new Map<string, MessageSender<Message>>();
  return (platform) => {
    const url = Object.hasOwn(urls, platform) ? urls[platform] : undefined;
    if (url === undefined) return null;
    const sender = senders.get(platform) ?? createMessageSender<Message>(sqs, url);
    senders.set(platform, sender);
    return sender;
  };
}
