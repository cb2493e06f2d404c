// Asks a question and shows the answer as it streams in. Guarantees: one question at a time; stopping, or leaving the
// page, ends the request; a change is confirmed once, and offered again only if the service says that nothing was done.

import { useEffect, useRef, useState } from 'react';
import { type Input, useApi } from '#dashboard/app/api.tsx';
import { codeOf, statusOf } from '#dashboard/parts/problems.ts';
import type { Client } from '#lib/client/client.ts';
import { type ChatEvent, type End, messagesOf, newTurn, type Turn, withEvent } from './conversation.ts';

/** Words arrive one by one: they are rendered in groups. */
const SHOW_EVERY_MS = 50;

export type Decision = 'confirmed' | 'declined';

export interface Assistant {
  readonly turns: readonly Turn[];
  readonly isRunning: boolean;
  readonly decisions: Readonly<Record<string, Decision>>;
  /** The question that was asked without a language model. */
  readonly unanswered: string | undefined;
  /** False: a question is being answered. */
  ask(question: string): boolean;
  confirm(id: string, summary: string): void;
  decline(id: string): void;
  stop(): void;
  forget(): void;
}

/** For proposals, once each. */
function useDecisions() {
  const [decisions, setDecisions] = useState<Assistant['decisions']>({});
  // Not in the state: two presses may come before the next render.
  const decided = useRef(new Set<string>());
  return {
    decisions,
    /** Returns whether it was open. */
    decide(id: string, decision: Decision): boolean {
      if (decided.current.has(id)) return false;
      decided.current.add(id);
      setDecisions((all) => ({ ...all, [id]: decision }));
      return true;
    },
    reopen(id: string): void {
      decided.current.delete(id);
      setDecisions(({ [id]: _, ...others }) => others);
    },
  };
}

export function useAssistant(): Assistant {
  const { client } = useApi();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [isRunning, setRunning] = useState(false);
  const [unanswered, setUnanswered] = useState<string>();
  const { decisions, decide, reopen } = useDecisions();
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const change = (id: string, next: (turn: Turn) => Turn): void =>
    setTurns((all) => all.map((turn) => (turn.id === id ? next(turn) : turn)));

  const failed = ({ id, question, confirms }: Turn, error: unknown): void => {
    if (codeOf(error) === 'ai_not_configured') {
      setUnanswered(question);
      setTurns((all) => all.filter((turn) => turn.id !== id));
    } else change(id, (turn) => ({ ...turn, end: { kind: 'failed', error } }));
    // Refused before anything was done.
    const status = statusOf(error);
    if (confirms !== undefined && (status === 429 || status === 503)) reopen(confirms);
  };

  const begin = (question: string, confirm?: string): boolean => {
    if (running.current !== null) return false;
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setRunning(true);
    setUnanswered(undefined);
    const turn = newTurn(crypto.randomUUID(), question, confirm);
    setTurns((all) => [...all, turn]);
    const end = (kind: 'cut' | 'stopped'): void => change(turn.id, (now) => ended(now, { kind }));
    const body = { messages: messagesOf(turns, question), ...(confirm === undefined ? {} : { confirm }) };
    const take = (events: readonly ChatEvent[]): void =>
      change(turn.id, (now) => events.reduce(withEvent, now));
    void listen(client, body, signal, take)
      .then(
        () => end('cut'),
        (error: unknown) => (signal.aborted ? end('stopped') : failed(turn, error)),
      )
      .finally(() => {
        running.current = null;
        setRunning(false);
      });
    return true;
  };

  return {
    turns,
    isRunning,
    decisions,
    unanswered,
    ask: (question) => begin(question),
    confirm: (id, summary) => {
      if (running.current === null && decide(id, 'confirmed')) begin(`Yes, do this: ${summary}`, id);
    },
    decline: (id) => void decide(id, 'declined'),
    stop: () => running.current?.abort(),
    forget: () => {
      running.current?.abort();
      setTurns([]);
      setUnanswered(undefined);
    },
  };
}

/** A turn that has ended keeps its own end. */
const ended = (turn: Turn, end: End): Turn => (turn.end.kind === 'running' ? { ...turn, end } : turn);

async function listen(
  client: Client,
  body: Input<'aiChat'>['body'],
  signal: AbortSignal,
  show: (events: readonly ChatEvent[]) => void,
): Promise<void> {
  let waiting: ChatEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    show(waiting);
    waiting = [];
  };
  try {
    const { stream } = await client.aiChat({ body }, { signal });
    for await (const event of stream) {
      waiting.push(event);
      timer ??= setTimeout(flush, SHOW_EVERY_MS);
    }
  } finally {
    flush();
  }
}
