import type { ComponentChildren } from 'preact'
import type { EventState } from '../event-state.ts'

interface TileProps {
  readonly title: ComponentChildren
  readonly value: ComponentChildren
  /** Against the day before, such as `+4 %`, with the state that its direction means. */
  readonly change?: { readonly text: string; readonly state: EventState }
  /** One line below the number. */
  readonly note?: ComponentChildren
  /** A spark, at the foot. */
  readonly chart?: ComponentChildren
}

/** One number with its range, change and line. */
export function Tile({ title, value, change, note, chart }: TileProps) {
  return (
    <section class="tile">
      <h2>
        {title}
        {change ? <span class={`delta ${change.state}`}>{change.text}</span> : null}
      </h2>
      <p class="big">{value}</p>
      <p class="sub">{note}</p>
      {chart}
    </section>
  )
}

interface TilesProps {
  /** Four in a row, in place of five. */
  readonly isFour?: boolean
  readonly children: ComponentChildren
}

/** Tiles in one frame. */
export function Tiles({ isFour, children }: TilesProps) {
  return <div class={`tiles${isFour ? ' four' : ''}`}>{children}</div>
}
