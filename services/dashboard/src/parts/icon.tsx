// The signs of buttons: lines on a square of 24, in the colour of the text beside them. Hidden from screen readers: the button
// says its name.
const LINES = {
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14M16 16l4.5 4.5',
} as const;

export function Icon({ name, size }: { readonly name: keyof typeof LINES; readonly size: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
    >
      <path d={LINES[name]} />
    </svg>
  );
}
