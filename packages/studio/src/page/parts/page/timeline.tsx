import type { ComponentChildren } from 'preact'
import type { EventState } from '../event-state.ts'
import { Icon, type IconName } from '../signs/icon.tsx'

interface Moment {
  readonly key: string
  readonly state: EventState
  readonly icon: IconName
  readonly text: ComponentChildren
  /** A second, smaller line. */
  readonly note?: ComponentChildren
  /** When it was, or how long it took. */
  readonly at?: ComponentChildren
  /** Below, as wide as the timeline. */
  readonly more?: ComponentChildren
}

/** What happened, one after the other. */
export function Timeline({ label, moments }: { readonly label: string; readonly moments: readonly Moment[] }) {
  return (
    <ol class="timeline" aria-label={label}>
      {moments.map(({ key, state, icon, text, note, at, more }) => (
        <li key={key}>
          <span class={`at ${state}`}>
            <Icon name={icon} />
          </span>
          <p>
            {text}
            {note ? <small>{note}</small> : null}
          </p>
          <span class="took">{at}</span>
          {more ? <div class="inner">{more}</div> : null}
        </li>
      ))}
    </ol>
  )
}
