// Where an agent writes: to the customer, or a note. The two are two texts; ground, label and button say which one it is.
import type { KeyboardEvent, RefObject } from 'react';
import { Button } from '#dashboard/parts/button.tsx';
import { count } from '#dashboard/parts/written.tsx';
import type { Ticket } from './conversation.ts';
import { perform } from './outbox.ts';
import { useDrafts } from './use-inbox.ts';

const MAX_CHARS = 50_000;

interface ComposerProps {
  /** As the agent sees it: its version goes with what he sends. */
  readonly ticket: Ticket;
  /** With what is on its way. */
  readonly shown: Ticket;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly next: () => void;
}

function refusalOf(text: string): string | undefined {
  if (text.trim() === '') return 'There is nothing to send.';
  // Counted in characters as people see them end, not in the halves that the browser counts.
  const chars = text.length > MAX_CHARS ? [...text].length : text.length;
  return chars > MAX_CHARS ? `It has ${count(chars)} characters; ${count(MAX_CHARS)} are taken.` : undefined;
}

export function Composer({ ticket, shown, field, next }: ComposerProps) {
  const drafts = useDrafts();
  const { reply, note, isNote } = drafts.read(ticket.id);
  const text = isNote ? note : reply;
  const refused = refusalOf(text);
  const send = (thenClose: boolean): void => {
    // As it is now, not as it was drawn: the press before this one may have sent it.
    const now = drafts.read(ticket.id);
    if (refusalOf(now.isNote ? now.note : now.reply) !== undefined) return;
    const { id, body } = drafts.begin(ticket.id);
    perform(ticket, { kind: 'message', body, isNote, thenClose }, id);
    if (thenClose) next();
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') event.currentTarget.blur();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event.shiftKey);
    else return;
    event.preventDefault();
  };
  const to = shown.customer_email ?? shown.customer_name ?? 'the customer';
  return (
    <div
      className={`rounded-md border p-3 ${isNote ? 'border-dashed border-wait bg-wait-tint' : 'border-control bg-ground'}`}
    >
      <fieldset aria-label="What you write" className="mb-2 flex flex-wrap gap-2">
        <Mode
          name="Reply"
          letter="r"
          isOn={!isNote}
          choose={() => drafts.change(ticket.id, { isNote: false })}
        />
        <Mode
          name="Note"
          letter="n"
          isOn={isNote}
          choose={() => drafts.change(ticket.id, { isNote: true })}
        />
      </fieldset>
      <label htmlFor="composer" className="foreign mb-1 block text-sm font-bold">
        {isNote ? 'Internal note: the customer never sees it' : `Reply to ${to}`}
      </label>
      <textarea
        id="composer"
        ref={field}
        rows={4}
        dir="auto"
        className={`w-full rounded-sm border bg-surface p-2 text-ink ${isNote ? 'border-dashed border-wait' : 'border-control'}`}
        value={text}
        aria-describedby="composer-help"
        onChange={({ target }) => drafts.change(ticket.id, { [isNote ? 'note' : 'reply']: target.value })}
        onKeyDown={press}
      />
      <p id="composer-help" className={`mt-1 text-sm ${text !== '' && refused ? 'text-bad' : 'text-dim'}`}>
        {text === ''
          ? 'Ctrl Enter sends it; Esc leaves the text.'
          : (refused ?? `Kept as a draft of ${ticket.ticket_code}.`)}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button kind={isNote ? 'plain' : 'primary'} refused={refused} onClick={() => send(false)}>
          {isNote ? 'Add internal note' : 'Send reply'}
        </Button>
        {shown.status !== 'resolved' && (
          <Button refused={refused} onClick={() => send(true)}>
            {isNote ? 'Add note and close' : 'Send and close'}
          </Button>
        )}
      </div>
    </div>
  );
}

interface ModeProps {
  readonly name: string;
  readonly letter: string;
  readonly isOn: boolean;
  readonly choose: () => void;
}

const Mode = ({ name, letter, isOn, choose }: ModeProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    onClick={choose}
    className={`min-h-8 rounded-sm border px-3 ${isOn ? 'border-control bg-surface font-bold' : 'border-line text-dim'}`}
  >
    {isOn ? '● ' : '○ '}
    {name} <kbd className="text-sm text-dim">{letter}</kbd>
  </button>
);
