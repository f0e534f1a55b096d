/** The logo: a coin with a florin sign. Only the logo uses gold. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" fill="none" aria-hidden="true" focusable="false">
      <circle cx="14" cy="14" r="14" fill="var(--coin)" />
      <circle cx="14" cy="14" r="11.8" stroke="var(--gold)" strokeWidth="0.9" strokeDasharray="0.9 1.15" />
      <path
        d="M18.6 7.6c-2.5-1-3.9.3-4.5 3.2l-1.3 6.4c-.6 2.8-1.8 4-4 3.2M10.3 12.7h7"
        stroke="var(--coin-ink)"
        strokeWidth="1.9"
        strokeLinecap="round"
      />
    </svg>
  );
}
