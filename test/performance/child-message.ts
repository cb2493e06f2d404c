// Asking a child process over its channel.
import type { ChildProcess, Serializable } from 'node:child_process';

/** The child's next message, after it was asked where there is a question. Rejects where it ends first. */
export function nextMessage<T>(child: ChildProcess, question?: Serializable): Promise<T> {
  return new Promise((done, reject) => {
    const ended = (code: number | null): void => reject(new Error(`a child process ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (value) => {
      child.off('exit', ended);
      done(value as T);
    });
    if (question !== undefined) child.send(question);
  });
}
