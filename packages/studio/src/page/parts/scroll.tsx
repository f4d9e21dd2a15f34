import type { ComponentChildren } from 'preact'

/** Something wide that scrolls sideways by itself, so that the page does not. It takes the focus, to be scrolled by keys. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
