/** The sign of Sluice: a gate, and what flows through it. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect class="logo-ground" width="32" height="32" rx="8" />
      <path class="logo-gate" d="M9.5 7v18M22.5 7v18" />
      <path class="logo-water" d="M13 12c2-1.6 4 1.6 6 0M13 16.5c2-1.6 4 1.6 6 0M13 21c2-1.6 4 1.6 6 0" />
    </svg>
  )
}
