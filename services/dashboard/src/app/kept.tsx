// What is being typed, kept until it is saved: a reload, another tab, or signing in again brings it back. It is this person's.
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/page.tsx';
import { useApi } from './api.tsx';
import { keepText, keptText } from './kept-texts.ts';
import { ofShop } from './shop.ts';

const PREFIX = 'millrace.typed.';

/** The value, a change of it, and whether it was brought back; null forgets it. */
export function useKept<T extends object>(
  name: string,
): readonly [T | null, (next: T | null) => void, boolean] {
  const { session } = useApi();
  const person = session.person() ?? '';
  const key = ofShop(`${PREFIX}${person}.${name}`);
  const [found] = useState(() => stored<T>(key));
  const [value, setValue] = useState(found);
  const change = (next: T | null): void => {
    setValue(next);
    keepText(key, person, next);
  };
  return [value, change, found !== null && value === found];
}

function stored<T>(key: string): T | null {
  const value = keptText(key);
  return typeof value === 'object' ? (value as T | null) : null;
}

/** Says that a form was restored from an unsaved text; the person may discard it. */
export function BroughtBack({ drop }: { readonly drop: () => void }) {
  return (
    <Notice tone="plain">
      What you had typed and not saved was brought back.{' '}
      <Button kind="quiet" onClick={drop}>
        Drop it
      </Button>
    </Notice>
  );
}
