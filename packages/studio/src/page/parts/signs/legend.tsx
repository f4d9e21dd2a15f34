import type { EventState } from '../event-state.ts'

interface LegendProps {
  readonly items: readonly { readonly state: EventState; readonly text: string; readonly value?: string }[]
}

/** What the colours of a chart mean, with a number each where there is one. */
export function Legend({ items }: LegendProps) {
  return (
    <ul class="legend">
      {items.map(({ state, text, value }) => (
        <li key={text}>
          <i class={`swatch ${state}`} />
          {text}
          {value === undefined ? null : <b>{value}</b>}
        </li>
      ))}
    </ul>
  )
}
