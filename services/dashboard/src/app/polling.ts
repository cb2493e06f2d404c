// Pages with live data poll every few seconds while they are used: an idle or hidden tab sends no requests.
import { useEffect, useState } from 'react';

const EVERY_MS = 5_000;
const IDLE_MS = 600_000;

/** For `everyMs` of useAsk: 0 while the page is hidden or was not used for ten minutes. */
export function useLive(): number {
  const [isLive, setLive] = useState(true);
  useEffect(() => {
    let idle: ReturnType<typeof setTimeout>;
    const look = (): void => {
      clearTimeout(idle);
      const isSeen = document.visibilityState === 'visible';
      setLive(isSeen);
      if (isSeen) idle = setTimeout(() => setLive(false), IDLE_MS);
    };
    look();
    const events = ['visibilitychange', 'pointerdown', 'keydown', 'focusin'];
    for (const name of events) document.addEventListener(name, look, { passive: true });
    return () => {
      clearTimeout(idle);
      for (const name of events) document.removeEventListener(name, look);
    };
  }, []);
  return isLive ? EVERY_MS : 0;
}
