// A value as JSON, as text: it is never made into markup. Long ones scroll inside.

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
