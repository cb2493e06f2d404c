// A value as JSON: shown as text, never made into markup, and saved as a file without a request.

export function JsonView({ value, name }: { readonly value: unknown; readonly name: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <section
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      className="max-h-100 overflow-auto rounded-sm border border-line bg-ground p-3"
    >
      <pre className="foreign whitespace-pre-wrap">{text}</pre>
    </section>
  );
}

/** In the downloads folder. */
export function saveAs(name: string, value: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
