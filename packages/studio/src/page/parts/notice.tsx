import type { ComponentChildren } from 'preact'

/** A sentence about what happened. `bad` is read out at once, others when there is time. */
export function Notice({
  kind,
  children,
}: {
  readonly kind: 'good' | 'bad' | 'plain'
  readonly children: ComponentChildren
}) {
  return (
    <p class={`notice${kind === 'plain' ? '' : ` in ${kind}`}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </p>
  )
}
