// Stores of the helpdesk's records. Guarantees: every change is one conditional write to one item; reads by id are
// consistent; an index only says where to look.
import type { Account } from '../domain/account/account.ts';
import type { DueKind } from '../domain/account/due-kind.ts';
import type { Article, ArticleStatus } from '../domain/articles/article.ts';
import type { HelpdeskAuditEntry } from '../domain/audit/entry.ts';
import type { Contact } from '../domain/contacts/contact.ts';
import type { Job } from '../domain/job.ts';
import type { OutboundMail } from '../domain/mail/mail.ts';
import type { SetAsideMail } from '../domain/mail/set-aside.ts';
import type { SearchEntry, SearchType, Stored } from '../domain/outbox.ts';
import type { Pointer } from '../domain/pointer.ts';
import type { Run, RunStatus } from '../domain/runs/run.ts';
import type { Message } from '../domain/tickets/message.ts';
import type { Ticket, TicketState } from '../domain/tickets/ticket.ts';
import type { Delivery } from '../domain/webhooks/delivery.ts';
import type { WebhookHealth, WebhookList } from '../domain/webhooks/webhook.ts';

/** Records of one kind. */
export interface RecordStore<R> {
  /** Consistent read. */
  read(workspaceId: string, id: string): Promise<Stored<R> | null>;
  /** Those that are there, in the order of the ids. Consistent. */
  readMany(workspaceId: string, ids: readonly string[]): Promise<readonly Stored<R>[]>;
  /** `expected`: the version it replaces, null for a new record. False if the stored version is another one. */
  put(stored: Stored<R>, expected: number | null): Promise<boolean>;
  /** Empties the outbox of this version and sets when it is due next; false if the version has changed. */
  settle(record: Pointer, version: number, dueAtMs: number | null): Promise<boolean>;
  /** Deletes this version; false if it has changed or is gone. */
  remove(record: Pointer, version: number): Promise<boolean>;
}

/** Newest first. `total` is exact up to where counting ends, and that number beyond. */
export interface Listed {
  readonly ids: readonly string[];
  readonly total: number;
}

export { TOTAL_MAX } from '../domain/account/limits.ts';

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** `countTo`: where counting ends, `TOTAL_MAX` by default; 0: do not count, total is 0. */
export interface CountedPage extends Page {
  readonly countTo?: number;
}

/** Lists by index: a record that changed a moment ago may still stand where it was. Readers look at the record itself. */
export interface ListIndex {
  tickets(workspaceId: string, states: readonly TicketState[], page: CountedPage): Promise<Listed>;
  /** Those whose customer waits for us, the longest waiting first. */
  waitingTickets(workspaceId: string, states: readonly TicketState[], page: CountedPage): Promise<Listed>;
  /** Ids in these states, oldest first, behind `after`. */
  oldestTickets(
    workspaceId: string,
    states: readonly TicketState[],
    limit: number,
    after?: string,
  ): Promise<readonly string[]>;
  contacts(workspaceId: string, page: CountedPage): Promise<Listed>;
  articles(workspaceId: string, statuses: readonly ArticleStatus[], page: Page): Promise<Listed>;
  runs(
    workspaceId: string,
    query: { readonly statuses: readonly RunStatus[]; readonly ticketId?: string },
    page: Page,
  ): Promise<Listed>;
  deliveries(workspaceId: string, webhookId: string, page: Page): Promise<Listed>;
  /** How many there are in each state, each up to `countTo`, as of a page. */
  ticketCounts(workspaceId: string, countTo?: number): Promise<Readonly<Record<TicketState, number>>>;
}

export interface MessageStore {
  /** No write if it exists. */
  putMessage(message: Message): Promise<void>;
  readMessage(workspaceId: string, ticketId: string, id: string): Promise<Message | null>;
  /** Oldest first. Consistent. */
  listMessages(
    workspaceId: string,
    ticketId: string,
    page: Page,
  ): Promise<{ readonly messages: readonly Message[]; readonly total: number }>;
  /** Overwrites the stored message, for erasure. */
  replaceMessage(message: Message): Promise<void>;
  removeMessages(workspaceId: string, ticketId: string): Promise<void>;
}

/** Which tickets a contact has. */
export interface ContactTickets {
  link(workspaceId: string, contactId: string, ticketId: string): Promise<void>;
  /** Newest first; `after` is the last id of the page before. */
  tickets(workspaceId: string, contactId: string, limit: number, after?: string): Promise<readonly string[]>;
  unlink(workspaceId: string, contactId: string, ticketId: string): Promise<void>;
}

export interface FoundIds {
  /** In falling order: newest first, where ids are in the order of time. */
  readonly ids: readonly string[];
  /** True: no other record has the token. False: `ids` are the newest of a whole word, or any of a prefix. */
  readonly isWhole: boolean;
}

/** Tokens and the records that are found under them. */
export interface SearchIndex {
  /** A change with an earlier version than the stored one does not overwrite it. */
  change(workspaceId: string, entry: Omit<SearchEntry, 'kind'>): Promise<void>;
  /**
   * Deletes tokens without keeping their version, for erasure: a late `change` of an earlier version can bring them
   * back, and a new record can use them.
   */
  forget(
    workspaceId: string,
    entry: { readonly type: SearchType; readonly recordId: string; readonly tokens: readonly string[] },
  ): Promise<void>;
  /** Ids that have this token, or one that begins with it; at most `limit`. */
  find(
    workspaceId: string,
    type: SearchType,
    token: { readonly text: string; readonly isPrefix: boolean },
    limit: number,
  ): Promise<FoundIds>;
}

export interface AuditTrail {
  /** No write if an entry of this time and id exists. */
  append(entry: HelpdeskAuditEntry): Promise<void>;
  /** Newest first, those older than `before`. */
  entries(
    workspaceId: string,
    range: {
      readonly fromMs?: number;
      readonly toMs?: number;
      readonly before?: { readonly atMs: number; readonly id: string };
    },
    limit: number,
  ): Promise<readonly HelpdeskAuditEntry[]>;
}

export interface TicketCodes {
  /** The next number of this workspace: never given twice; gaps are possible. */
  next(workspaceId: string): Promise<number>;
}

/** Claims of what must be unique in a workspace. */
export interface Slugs {
  /** False if another article has it. */
  claim(workspaceId: string, slug: string, articleId: string): Promise<boolean>;
}

export interface HealthStore {
  readHealth(workspaceId: string, webhookId: string): Promise<WebhookHealth | null>;
  putHealth(workspaceId: string, webhookId: string, health: WebhookHealth): Promise<void>;
  /**
   * Moves the end of a rest from `fromMs`. Of several concurrent callers one succeeds; false for the others, and if the
   * stored value is not `fromMs`.
   */
  moveRest(workspaceId: string, webhookId: string, fromMs: number, toMs: number): Promise<boolean>;
}

/** Which message of ours, or of a customer's, a mail answers. */
export interface MailThreads {
  /** `messageId` with its angle brackets. No write if it is known. */
  remember(workspaceId: string, messageId: string, ticketId: string): Promise<void>;
  ticketOf(workspaceId: string, messageId: string): Promise<string | null>;
  /** For erasure. */
  forget(workspaceId: string, messageId: string): Promise<void>;
}

/** Mails that became no message. */
export interface SetAsideMails {
  /** No write if it is known. */
  put(mail: SetAsideMail): Promise<void>;
  /** Consistent read; null if there is none, or it has expired. */
  read(workspaceId: string, id: string): Promise<SetAsideMail | null>;
  /** Newest first. Consistent. */
  list(
    workspaceId: string,
    page: Page,
  ): Promise<{ readonly mails: readonly SetAsideMail[]; readonly total: number }>;
  /** No write if it is gone. */
  replace(mail: SetAsideMail): Promise<void>;
  remove(mail: Pointer): Promise<void>;
}

export interface DueRecord extends Pointer {
  readonly kind: DueKind;
  readonly dueAtMs: number;
}

/** Records that are due, by shard. The backlog of one workspace does not hide another one's records. */
export interface DueIndex {
  readonly shards: number;
  /** From each workspace with records due before `beforeMs`, the longest due first, at most `perWorkspace` each. */
  due(shard: number, beforeMs: number, perWorkspace: number): AsyncIterable<DueRecord>;
  /** Sets the due time of a record of any kind to `untilMs`; false if it has changed since it was read. */
  putOff(record: DueRecord, untilMs: number): Promise<boolean>;
}

export interface HelpdeskStores {
  readonly tickets: RecordStore<Ticket>;
  readonly contacts: RecordStore<Contact>;
  readonly articles: RecordStore<Article>;
  readonly accounts: RecordStore<Account>;
  readonly webhooks: RecordStore<WebhookList>;
  readonly runs: RecordStore<Run>;
  readonly deliveries: RecordStore<Delivery>;
  readonly mails: RecordStore<OutboundMail>;
  readonly jobs: RecordStore<Job>;
  readonly messages: MessageStore;
  readonly contactTickets: ContactTickets;
  readonly lists: ListIndex;
  readonly search: SearchIndex;
  readonly audit: AuditTrail;
  readonly codes: TicketCodes;
  readonly slugs: Slugs;
  readonly health: HealthStore;
  readonly threads: MailThreads;
  readonly setAside: SetAsideMails;
  readonly due: DueIndex;
}
