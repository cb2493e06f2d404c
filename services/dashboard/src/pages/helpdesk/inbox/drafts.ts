// What an agent is writing, kept by ticket: a reply and a note are two texts, and neither becomes the other.
// Guarantees: a draft is read by the id of its ticket and by no other way; what was sent is kept until the helpdesk has it, so
// that a reload brings it back, with the key that keeps it from being said twice. Refuses nothing: where storage is blocked it
// holds until the page is left. It is this tab's, as the session is.
import { createStore } from '../store.ts';

export interface Sending {
  /** Of the deed; also its idempotency key. */
  readonly id: string;
  readonly body: string;
  readonly isNote: boolean;
}

export interface Draft {
  readonly reply: string;
  readonly note: string;
  readonly isNote: boolean;
  readonly sending: readonly Sending[];
  /** What came back: sent unchanged it has its first key. */
  readonly back?: Sending;
}

const NOTHING: Draft = { reply: '', note: '', isNote: false, sending: [] };
const PREFIX = 'millrace.draft.';

export const drafts = createStore<Readonly<Record<string, Draft>>>({});

const keyOf = (person: string, ticketId: string): string => `${PREFIX}${person}.${ticketId}`;

function stored(key: string): Draft {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? NOTHING : { ...NOTHING, ...(JSON.parse(text) as Partial<Draft>) };
  } catch {
    return NOTHING;
  }
}

function write(key: string, draft: Draft): void {
  drafts.set({ ...drafts.get(), [key]: draft });
  try {
    if (draft.reply === '' && draft.note === '' && draft.sending.length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // It holds until the page is left.
  }
}

/** Put back what was being sent when the page was left: nobody knows whether it arrived. */
function recovered(draft: Draft): Draft {
  const last = draft.sending.at(-1);
  return last === undefined ? draft : withBack({ ...draft, sending: [] }, last);
}

const join = (text: string, more: string): string => (text.trim() === '' ? more : `${more}\n\n${text}`);

function withBack(draft: Draft, sent: Sending): Draft {
  const name = sent.isNote ? 'note' : 'reply';
  return { ...draft, [name]: join(draft[name], sent.body), isNote: sent.isNote, back: sent };
}

/** The drafts of a person. */
export function draftsOf(person = '') {
  const read = (ticketId: string): Draft => {
    const key = keyOf(person, ticketId);
    return drafts.get()[key] ?? recovered(stored(key));
  };
  const change = (ticketId: string, changes: Partial<Draft>): void =>
    write(keyOf(person, ticketId), { ...read(ticketId), ...changes });
  return {
    read,
    change,
    /** Empties the text that is sent; answers the key to send it with. */
    begin(ticketId: string): Sending {
      const { reply, note, isNote, sending, back } = read(ticketId);
      const body = isNote ? note : reply;
      const isSame = back !== undefined && back.isNote === isNote && back.body === body;
      const sent: Sending = { id: isSame ? back.id : crypto.randomUUID(), body, isNote };
      change(ticketId, { [isNote ? 'note' : 'reply']: '', sending: [...sending, sent] });
      return sent;
    },
    done(ticketId: string, id: string): void {
      change(ticketId, { sending: read(ticketId).sending.filter((one) => one.id !== id) });
    },
    takeBack(ticketId: string, id: string): void {
      const draft = read(ticketId);
      const sent = draft.sending.find((one) => one.id === id);
      if (sent === undefined) return;
      const others = draft.sending.filter((one) => one !== sent);
      write(keyOf(person, ticketId), withBack({ ...draft, sending: others }, sent));
    },
  };
}
