/** The sign of the product: a penguin's head, drawn in the colour of the text. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={className}>
      <path
        d="M12 1.75c5.4 0 9.25 4.2 9.25 9.9v7.1a3.5 3.5 0 0 1-3.5 3.5H6.25a3.5 3.5 0 0 1-3.5-3.5v-7.1c0-5.7 3.85-9.9 9.25-9.9Z"
        fill="currentColor"
      />
      <path
        d="M12 8.1C11 6.6 9.7 5.9 8.4 5.9c-2.2 0-3.6 2-3.6 4.6 0 2.3.7 3.5.7 5.4 0 2.1-.2 3.2.9 3.9.6.4 1.4.5 2.4.5h6.4c1 0 1.8-.1 2.4-.5 1.1-.7.9-1.8.9-3.9 0-1.9.7-3.1.7-5.4 0-2.6-1.4-4.6-3.6-4.6-1.3 0-2.6.7-3.6 2.2Z"
        className="fill-page"
      />
      <circle cx="8.6" cy="11" r="1.35" fill="currentColor" />
      <circle cx="15.4" cy="11" r="1.35" fill="currentColor" />
      <path
        d="M12 16.9c-1.3 0-2.7-1.5-2.7-2.3 0-.7 1.2-1.1 2.7-1.1s2.7.4 2.7 1.1c0 .8-1.4 2.3-2.7 2.3Z"
        className="fill-trace-args"
      />
    </svg>
  );
}
