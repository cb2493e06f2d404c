// The key of a request that makes something: the same for the same content, so that one whose answer was lost makes nothing
// twice; another one for another content.
import { useRef } from 'react';

export function useIdempotencyKey(): (content: unknown) => string {
  const last = useRef({ content: '', key: '' });
  return (content) => {
    const text = JSON.stringify(content);
    if (last.current.key === '' || last.current.content !== text)
      last.current = { content: text, key: crypto.randomUUID() };
    return last.current.key;
  };
}
