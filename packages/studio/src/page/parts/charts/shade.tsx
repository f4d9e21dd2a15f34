import { useId } from 'preact/hooks'
import type { EventState } from '../event-state.ts'

/** Returns the id of a shade of this part alone. */
export function useShade(): string {
  return `shade-${useId()}`
}

/** The ground below a line: stronger at its top. */
export function Shade({ id, state }: { readonly id: string; readonly state: EventState }) {
  return (
    <linearGradient id={id} class={state} x2="0" y2="1">
      <stop class="top" />
      <stop class="end" offset="1" />
    </linearGradient>
  )
}
