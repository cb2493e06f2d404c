// An agent's drafts, stored by ticket: a reply and a note are separate texts. Guarantees: a draft is read only by the
// id of its ticket; a sent text is kept until the helpdesk has it, so that a reload, or another tab after this one was
// closed, restores it, with the key that prevents a second message. Two tabs on one ticket edit one text: each shows
// what is typed in the other one.
import { keepText, keptText, onTextElsewhere } from '#dashboard/app/kept-texts.ts';
import { ofShop } from '#dashboard/app/shop.ts';
import { createStore } from '../store.ts';

export interface Sending {
  /** Of the action; also its idempotency key. */
  readonly id: string;
  readonly body: string;
  readonly isNote: boolean;
}

export interface Draft {
  readonly reply: string;
  readonly note: string;
  readonly isNote: boolean;
  readonly sending: readonly Sending[];
  /** A restored text: sent unchanged it has its first key. */
  readonly back?: Sending;
}

const NOTHING: Draft = { reply: '', note: '', isNote: false, sending: [] };
const PREFIX = 'millrace.draft.';

export const drafts = createStore<Readonly<Record<string, Draft>>>({});

const keyOf = (person: string, ticketId: string): string => ofShop(`${PREFIX}${person}.${ticketId}`);

function stored(key: string): Draft {
  const kept = keptText(key);
  return typeof kept === 'object' && kept !== null ? { ...NOTHING, ...(kept as Partial<Draft>) } : NOTHING;
}

/**
 * As another tab has written it: what that tab is sending is not restored here. Whether the reply or the note is edited
 * is each tab's own choice.
 */
function adopt(key: string): void {
  if (!key.startsWith(PREFIX)) return;
  const [mine, theirs] = [drafts.get()[key], stored(key)];
  drafts.set({ ...drafts.get(), [key]: { ...theirs, isNote: mine?.isNote ?? theirs.isNote } });
}

let isHearing = false;

/** From now on, until the page is left: drafts outlive the inbox. */
export function hearOtherTabs(): void {
  if (!isHearing) onTextElsewhere(adopt);
  isHearing = true;
}

/** Restores what was being sent when the page was left, because it is unknown whether it arrived. */
function recovered(draft: Draft): Draft {
  return draft.sending.reduce(withBack, { ...draft, sending: [] });
}

const join = (text: string, more: string): string => (text.trim() === '' ? more : `${more}\n\n${text}`);

function withBack(draft: Draft, sent: Sending): Draft {
  const name = sent.isNote ? 'note' : 'reply';
  return { ...draft, [name]: join(draft[name], sent.body), isNote: sent.isNote, back: sent };
}

/** Drafts of one person. */
export function draftsOf(person = '') {
  const read = (ticketId: string): Draft => {
    const key = keyOf(person, ticketId);
    return drafts.get()[key] ?? recovered(stored(key));
  };
  const write = (ticketId: string, draft: Draft): void => {
    const key = keyOf(person, ticketId);
    drafts.set({ ...drafts.get(), [key]: draft });
    const isOver = draft.reply === '' && draft.note === '' && draft.sending.length === 0;
    keepText(key, person, isOver ? null : draft);
  };
  const change = (ticketId: string, changes: Partial<Draft>): void =>
    write(ticketId, { ...read(ticketId), ...changes });
  return {
    read,
    change,
    /** Clears the text that is sent; returns its key. */
    begin(ticketId: string): Sending {
      const { reply, note, isNote, sending, back } = read(ticketId);
      const body = isNote ? note : reply;
      const isSame = back !== undefined && back.isNote === isNote && back.body === body;
      const sent: Sending = { id: isSame ? back.id : crypto.randomUUID(), body, isNote };
      change(ticketId, { [isNote ? 'note' : 'reply']: '', sending: [...sending, sent] });
      return sent;
    },
    done(ticketId: string, id: string): void {
      const { sending, back, ...texts } = read(ticketId);
      const name = back?.isNote ? 'note' : 'reply';
      // Another tab, opened meanwhile, may have restored it.
      const isBack = back?.id === id && texts[name] === back.body;
      change(ticketId, {
        sending: sending.filter((one) => one.id !== id),
        ...(isBack ? { [name]: '' } : {}),
      });
    },
    takeBack(ticketId: string, id: string): void {
      const draft = read(ticketId);
      const sent = draft.sending.find((one) => one.id === id);
      if (sent === undefined) return;
      const others = draft.sending.filter((one) => one !== sent);
      write(ticketId, withBack({ ...draft, sending: others }, sent));
    },
  };
}
