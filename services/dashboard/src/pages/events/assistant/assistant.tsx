// Assistant: questions about the shop's tracking, answered by a language model with this API's queries. It has the
// person's permissions; changes wait for Confirm. The service stores nothing of it.

import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { ofShop } from '#dashboard/app/shop.ts';
import { Button } from '#dashboard/parts/button.tsx';
import { Form } from '#dashboard/parts/field.tsx';
import { Empty, Page } from '#dashboard/parts/page.tsx';
import { readStored, writeStored } from '#dashboard/parts/stored.ts';
import { count } from '#dashboard/parts/written.tsx';
import { Answer } from './answer.tsx';
import { CHAT_LIMITS } from './conversation.ts';
import { NotConfigured } from './not-configured.tsx';
import { type Assistant, useAssistant } from './use-assistant.ts';

const EXAMPLES = [
  'Which events were not delivered in the last 24 hours, and why?',
  'Which platform waits longest, and for what?',
  'What should I repair first to be matched better?',
] as const;

export default function AssistantPage() {
  const assistant = useAssistant();
  const [text, setText] = useDraft();
  const field = useRef<HTMLTextAreaElement>(null);
  const ask = (question: string): void => {
    const wanted = question.trim();
    if (wanted !== '' && wanted.length <= CHAT_LIMITS.messageChars && assistant.ask(wanted)) setText('');
    field.current?.focus();
  };
  const { turns, unanswered } = assistant;
  const end = useFollowed(turns);
  return (
    <Page
      title="Assistant"
      about="Ask about your tracking. It looks things up as you, and changes nothing without your word."
      actions={turns.length > 0 && <Button onClick={assistant.forget}>New conversation</Button>}
    >
      {unanswered !== undefined && <NotConfigured again={() => ask(unanswered)} />}
      {turns.length === 0 && unanswered === undefined && <Examples ask={ask} />}
      <ol aria-label="Conversation">
        {turns.map((turn, index) => (
          <li key={turn.id} className="mb-6">
            <h2 className="sr-only">Question {count(index + 1)}</h2>
            <p className="foreign mb-3 rounded-md bg-tint px-4 py-2 whitespace-pre-wrap" dir="auto">
              {turn.question}
            </p>
            <div className="rounded-md border border-line bg-surface p-4">
              <Answer turn={turn} assistant={assistant} />
            </div>
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {statusOf(assistant)}
      </p>
      <Composer text={text} change={setText} field={field} assistant={assistant} ask={ask} />
      <div ref={end} />
    </Page>
  );
}

/** Announced once when it begins and once when it ends, not with each word. */
function statusOf({ turns, isRunning }: Assistant): string {
  if (isRunning) return 'The assistant is answering.';
  const end = turns.at(-1)?.end.kind;
  return end === undefined ? '' : end === 'done' ? 'The answer is complete.' : 'The answer has ended.';
}

function Examples({ ask }: { readonly ask: (question: string) => void }) {
  return (
    <Empty title="What would you like to know?">
      <ul className="mt-3 grid gap-2">
        {EXAMPLES.map((example) => (
          <li key={example}>
            <Button className="w-full" onClick={() => ask(example)}>
              {example}
            </Button>
          </li>
        ))}
      </ul>
    </Empty>
  );
}

interface ComposerProps {
  readonly text: string;
  readonly change: (text: string) => void;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly assistant: Assistant;
  readonly ask: (question: string) => void;
}

function Composer({ text, change, field, assistant, ask }: ComposerProps) {
  const { isRunning, stop } = assistant;
  const left = CHAT_LIMITS.messageChars - text.trim().length;
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && isRunning) stop();
    else if (event.key === 'Enter' && !event.shiftKey) ask(text);
    else return;
    event.preventDefault();
  };
  return (
    <Form send={() => ask(text)}>
      <label htmlFor="question" className="mb-1 block text-sm font-bold">
        Your question
      </label>
      <textarea
        id="question"
        ref={field}
        rows={3}
        dir="auto"
        aria-describedby="question-help"
        aria-invalid={left < 0 || undefined}
        className="w-full rounded-sm border border-control bg-surface p-2 text-ink"
        value={text}
        onChange={({ target }) => change(target.value)}
        onKeyDown={press}
      />
      <p id="question-help" className={`text-sm ${left < 0 ? 'text-bad' : 'text-dim'}`}>
        {left < 0
          ? `✖ It is ${count(-left)} characters too long: ${count(CHAT_LIMITS.messageChars)} are taken.`
          : 'Enter asks, Shift Enter begins a new line, Esc stops an answer. What is asked and found goes to the language model’s provider.'}
      </p>
      <div className="mt-2 flex gap-2">
        {isRunning ? (
          <Button kind="danger" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button
            type="submit"
            kind="primary"
            refused={
              left < 0 ? 'It is too long.' : text.trim() === '' ? 'Write a question first.' : undefined
            }
          >
            Ask
          </Button>
        )}
      </div>
    </Form>
  );
}

const DRAFT = 'millrace.assistant.draft';

/** Typed text survives a sign-in; past questions do not. */
function useDraft(): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => readStored('sessionStorage', ofShop(DRAFT)) ?? '');
  const change = (next: string): void => {
    setText(next);
    writeStored('sessionStorage', ofShop(DRAFT), next);
  };
  return [text, change];
}

const NEAR_PX = 200;

/** Scrolls with new text only if the person is at the end. */
function useFollowed(turns: Assistant['turns']): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const look = (): void => {
      const { scrollHeight } = document.documentElement;
      isAtEnd.current = scrollY + innerHeight > scrollHeight - NEAR_PX;
    };
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is what moves
  useEffect(() => {
    if (isAtEnd.current) end.current?.scrollIntoView({ block: 'nearest' });
  }, [turns]);
  return end;
}
