// Mails that were sent, as a laptop keeps them: the newest in memory, and each as a line of a file where one is named.
// Guarantees: a mail is written before it is answered; a line that was cut off by a kill is left out.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { parseJson } from '../parse-json.ts';

const MAILS_MAX = 500;

const mailSchema = z.object({
  id: z.string(),
  atMs: z.number(),
  to: z.array(z.string()),
  tags: z.record(z.string(), z.string()),
  /** Base64. */
  raw: z.string(),
});
export type KeptMail = z.output<typeof mailSchema>;

export class Mailbox {
  readonly #mails: KeptMail[] = [];
  readonly #file: string | undefined;
  #taken = 0;

  constructor(file?: string) {
    this.#file = file;
    if (file === undefined || !existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const parsed = mailSchema.safeParse(parseJson(line));
      if (parsed.success) this.#keep(parsed.data);
    }
  }

  take(mail: KeptMail): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(mail)}\n`);
    this.#keep(mail);
  }

  /** Newest first. */
  list(): readonly KeptMail[] {
    return [...this.#mails].reverse();
  }

  find(id: string): KeptMail | undefined {
    return this.#mails.find((mail) => mail.id === id);
  }

  /** One that was sent for the same reply; undefined where these tags name none. */
  findReply({ workspace, mail: id }: KeptMail['tags']): KeptMail | undefined {
    if (workspace === undefined || id === undefined) return undefined;
    return this.#mails.find(({ tags }) => tags.mail === id && tags.workspace === workspace);
  }

  /** How many there ever were. */
  get taken(): number {
    return this.#taken;
  }

  #keep(mail: KeptMail): void {
    this.#taken += 1;
    this.#mails.push(mail);
    if (this.#mails.length > MAILS_MAX) this.#mails.shift();
  }
}
