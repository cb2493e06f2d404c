// What is shown where there is no session: what happened, and the way back in.
import { Button } from '../parts/button.tsx';

interface EdgeProps {
  readonly kind: 'failed' | 'signed-out';
  readonly reason?: string;
  readonly signIn?: () => void;
}

export function Edge({ kind, reason, signIn }: EdgeProps) {
  return (
    <main className="grid min-h-screen place-items-center p-4">
      <div className="w-full max-w-96 rounded-md border border-line bg-surface p-8 text-center">
        <h1 className="text-xl">{kind === 'failed' ? 'You could not be signed in' : 'You are signed out'}</h1>
        {reason && (
          <p role="alert" className="foreign mt-3 text-bad">
            {reason}
          </p>
        )}
        {signIn && (
          <Button kind="primary" className="mt-6" onClick={signIn}>
            {kind === 'failed' ? 'Try again' : 'Sign in'}
          </Button>
        )}
      </div>
    </main>
  );
}
