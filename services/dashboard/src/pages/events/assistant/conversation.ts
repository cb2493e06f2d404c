// A conversation with the assistant, stored only on this page. Guarantees: what is sent fits the API's limits, keeping
// the latest part; a proposed change is decided once.
import type { Client } from '#lib/client/client.ts';

type Stream = Awaited<ReturnType<Client['aiChat']>>['stream'];
export type ChatEvent = Stream extends AsyncIterable<infer Event> ? Event : never;
type DataOf<Name extends ChatEvent['event']> = Extract<ChatEvent, { event: Name }>['data'];

export type Source = DataOf<'tool_call'>;
export type Result = DataOf<'tool_result'>;
export type Proposal = DataOf<'confirmation'>;
export type Figure = DataOf<'done'>['figures'][number];

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'query'; readonly source: Source; readonly result?: Result }
  | { readonly kind: 'proposal'; readonly proposal: Proposal };

export type End =
  | { readonly kind: 'running' | 'stopped' | 'cut' }
  | { readonly kind: 'done'; readonly reason: DataOf<'done'>['reason']; readonly figures: readonly Figure[] }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface Turn {
  readonly id: string;
  readonly question: string;
  /** Id of the proposal it confirms. */
  readonly confirms: string | undefined;
  readonly pieces: readonly Piece[];
  readonly end: End;
}

export const newTurn = (id: string, question: string, confirms: string | undefined): Turn => ({
  id,
  question,
  confirms,
  pieces: [],
  end: { kind: 'running' },
});

export function withEvent(turn: Turn, event: ChatEvent): Turn {
  const { pieces } = turn;
  const plus = (piece: Piece): Turn => ({ ...turn, pieces: [...pieces, piece] });
  switch (event.event) {
    case 'text': {
      const last = pieces.at(-1);
      if (last?.kind !== 'text') return plus({ kind: 'text', text: event.data.text });
      const longer = { kind: 'text', text: last.text + event.data.text } as const;
      return { ...turn, pieces: [...pieces.slice(0, -1), longer] };
    }
    case 'tool_call':
      return plus({ kind: 'query', source: event.data });
    case 'tool_result':
      return {
        ...turn,
        pieces: pieces.map((piece) =>
          piece.kind === 'query' && piece.source.id === event.data.id
            ? { ...piece, result: event.data }
            : piece,
        ),
      };
    case 'confirmation':
      return plus({ kind: 'proposal', proposal: event.data });
    case 'done':
      return { ...turn, end: { kind: 'done', reason: event.data.reason, figures: event.data.figures } };
    case 'usage':
    case 'error':
      return turn;
  }
}

/** The limits of POST /v1/ai/chat; a test compares them with it. */
export const CHAT_LIMITS = { messages: 40, messageChars: 8_000, totalChars: 60_000 } as const;

interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

const cut = (text: string): string => text.slice(0, CHAT_LIMITS.messageChars).toWellFormed();

export const textOf = ({ pieces }: Turn): string =>
  pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : [])).join('');

/** The conversation, with the question last; what does not fit is dropped from the beginning. */
export function messagesOf(turns: readonly Turn[], question: string): Message[] {
  const latest: Message[] = [{ role: 'user', content: cut(question) }];
  let chars = latest[0]?.content.length ?? 0;
  for (const turn of turns.toReversed()) {
    const answer = cut(textOf(turn));
    const pair: Message[] = [
      { role: 'user', content: cut(turn.question) },
      ...(answer.trim() === '' ? [] : [{ role: 'assistant', content: answer } as const]),
    ];
    chars += pair.reduce((sum, { content }) => sum + content.length, 0);
    if (chars > CHAT_LIMITS.totalChars || latest.length + pair.length > CHAT_LIMITS.messages) break;
    latest.unshift(...pair);
  }
  return latest;
}
