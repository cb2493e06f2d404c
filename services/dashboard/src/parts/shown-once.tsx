// A secret that is shown once: the dialog closes only after the person confirms that it is stored.
import { useState } from 'react';
import { Button } from './button.tsx';

interface ShownOnceProps {
  readonly about: string;
  readonly secret: string;
  readonly close: () => void;
}

export function ShownOnce({ about, secret, close }: ShownOnceProps) {
  const [isStored, setStored] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const copy = (): void =>
    void navigator.clipboard.writeText(secret).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <>
      <p className="foreign mb-3">{about}</p>
      <p className="foreign rounded-sm border border-control bg-ground p-3 font-mono">{secret}</p>
      <div className="mt-3 flex items-center gap-3">
        <Button onClick={copy}>Copy</Button>
        <output>{isCopied ? 'Copied.' : ''}</output>
      </div>
      <label className="mt-4 flex items-center gap-2">
        <input
          type="checkbox"
          className="size-4"
          checked={isStored}
          onChange={({ target }) => setStored(target.checked)}
        />
        I have stored it
      </label>
      <Button
        className="mt-4"
        kind="primary"
        refused={isStored ? undefined : 'Store it first.'}
        onClick={close}
      >
        Close
      </Button>
    </>
  );
}
