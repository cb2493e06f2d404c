// Shows that a form was restored from an unsaved text, and lets the person discard it.
import { Button } from './button.tsx';
import { Notice } from './states.tsx';

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
