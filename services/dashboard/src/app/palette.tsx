// The palette (pages, and "open event <id>") and the list of keys: both in one chunk, loaded when first wanted.
import { type KeyboardEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../parts/dialog.tsx';
import { Tick } from '../parts/tick.tsx';
import { withQuery } from '../parts/url-state.ts';
import { useWho } from './account.ts';
import { type Caller, isAllowed, PAGES } from './pages.ts';
import type { Overlay } from './shell.tsx';
import { setSingleKeys, singleKeysOn } from './single-keys.ts';

interface Choice {
  readonly name: string;
  readonly to: string;
}

interface PaletteProps {
  readonly overlay: Overlay;
  readonly close: () => void;
}

export default function Palette({ overlay, close }: PaletteProps) {
  return overlay === 'keys' ? <Keys close={close} /> : <Find close={close} />;
}

function choicesFor(text: string, caller: Caller | undefined): readonly Choice[] {
  const wanted = text.trim();
  const pages = PAGES.filter(
    (page) =>
      page.group && isAllowed(page, caller) && page.title.toLowerCase().includes(wanted.toLowerCase()),
  ).map(({ title, path }) => ({ name: title, to: path }));
  if (wanted === '') return pages;
  if (caller?.only === 'helpdesk') return pages;
  return [
    ...pages,
    { name: `Open event ${wanted}`, to: withQuery('/event', { id: wanted }) },
    { name: `Search events for ${wanted}`, to: withQuery('/events', { search: wanted }) },
  ];
}

function Find({ close }: { readonly close: () => void }) {
  const [, navigate] = useLocation();
  const { caller } = useWho();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const choices = choicesFor(text, caller);
  const go = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    close();
    navigate(choice.to);
  };
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setAt((at + step + choices.length) % choices.length);
    else if (event.key === 'Enter') go(choices[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Find a page or an event" hideTitle close={close}>
      <input
        type="text"
        role="combobox"
        aria-label="Page, event id, order id or e-mail"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={`${id}-${at}`}
        placeholder="Page, event id, order id or e-mail"
        maxLength={254}
        className="w-full rounded-sm border border-control bg-surface px-3 py-2 text-lg"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div role="listbox" id={id} aria-label="Results" className="mt-3">
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: see above
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the box
          <div
            key={choice.to}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={`foreign cursor-pointer rounded-sm px-3 py-2 ${index === at ? 'bg-tint font-bold' : ''}`}
            onPointerMove={() => setAt(index)}
            onClick={() => go(choice)}
          >
            {choice.name}
          </div>
        ))}
      </div>
    </Dialog>
  );
}

const EVERYWHERE = [
  ['/', 'Find a page or an event'],
  ['Ctrl K', 'The same, also while typing'],
  ['?', 'These keys'],
  ['Esc', 'Close, or back'],
  ['j k', 'Next and previous row of a list'],
  ['Enter', 'Open the row'],
] as const;

function Keys({ close }: { readonly close: () => void }) {
  const [on, setOn] = useState(singleKeysOn);
  const rows = [
    ...EVERYWHERE,
    ...PAGES.flatMap(({ key, title }) => (key ? [[`g ${key}`, title] as const] : [])),
  ];
  return (
    <Dialog title="Keys" close={close}>
      <table className="w-full">
        <tbody>
          {rows.map(([key, what]) => (
            <tr key={key} className="border-b border-line">
              <th scope="row" className="w-24 py-1 text-left">
                <kbd>{key}</kbd>
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="mt-4">
        <Tick
          isOn={on}
          set={(next) => {
            setOn(next);
            setSingleKeys(next);
          }}
        >
          Keys without Ctrl do something
        </Tick>
      </div>
    </Dialog>
  );
}
